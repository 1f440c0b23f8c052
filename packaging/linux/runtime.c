/* Starts an AppImage: mounts the squashfs that follows this program and runs AppRun in it, or,
   without FUSE, unpacks it once below the user's cache. Linked with squashfuse, libfuse and zstd;
   the AppImage project's own runtime takes its place in releases. */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>

/* lzo is under the GPL, and our images are packed by zstd */
int lzo1x_decompress_safe(const unsigned char *in, size_t size, unsigned char *out, size_t *room,
                          void *memory) {
    (void)in, (void)size, (void)out, (void)room, (void)memory;
    return -1;
}

static struct fuse_lowlevel_ops operations = {
    .getattr = sqfs_ll_op_getattr,   .opendir = sqfs_ll_op_opendir,
    .releasedir = sqfs_ll_op_releasedir, .readdir = sqfs_ll_op_readdir,
    .lookup = sqfs_ll_op_lookup,     .open = sqfs_ll_op_open,
    .create = sqfs_ll_op_create,     .release = sqfs_ll_op_release,
    .read = sqfs_ll_op_read,         .readlink = sqfs_ll_op_readlink,
    .forget = sqfs_ll_op_forget,     .statfs = stfs_ll_op_statfs,
};

static int fail(const char *what) {
    fprintf(stderr, "AppImage: %s: %s\n", what, strerror(errno));
    return 127;
}

/* Where this program ends, which is where its section headers do. */
static size_t end_of_program(const char *self) {
    Elf64_Ehdr head;
    int file = open(self, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, &head, sizeof head);
    close(file);
    return size == sizeof head ? head.e_shoff + (size_t)head.e_shentsize * head.e_shnum : 0;
}

/* Serve the file system until nobody holds the other end of the pipe any more. */
static int serve(const char *self, size_t offset, const char *folder, int ready, int alive) {
    char *words[] = {"kpinspector", "-o", "ro,nosuid,nodev,fsname=kpinspector"};
    struct fuse_args given = FUSE_ARGS_INIT(3, words);
    int nowhere = open("/dev/null", O_RDWR);
    for (int stream = 0; stream < 3; stream++) /* the program's, whose readers wait for their end */
        dup2(nowhere, stream);
    sqfs_ll *image = sqfs_ll_open(self, offset);
    sqfs_ll_chan channel;
    if (!image ||
        sqfs_ll_mount(&channel, folder, &given, &operations, sizeof operations, image) != SQFS_OK)
        return 1;
    if (fork() == 0) { /* waits, then lets the loop end */
        char nothing;
        close(ready);
        while (read(alive, &nothing, 1) > 0 || errno == EINTR)
            errno = 0;
        execlp("fusermount3", "fusermount3", "-u", "-z", folder, NULL);
        execlp("umount", "umount", "-l", folder, NULL);
        _exit(1);
    }
    close(alive);
    if (write(ready, "m", 1) != 1)
        return 1;
    close(ready);
    fuse_session_loop(channel.session);
    sqfs_ll_unmount(&channel, folder);
    rmdir(folder);
    return 0;
}

static int unpack_file(sqfs *image, sqfs_inode *inode, const char *target, mode_t mode) {
    static char block[1 << 20];
    int file = open(target, O_WRONLY | O_CREAT | O_TRUNC, mode);
    if (file < 0)
        return -1;
    for (sqfs_off_t at = 0; at < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t size = sizeof block;
        if (sqfs_read_range(image, inode, at, &size, block) || write(file, block, size) != size)
            return -1;
        at += size;
    }
    return close(file);
}

/* Unpack all below a folder. */
static int unpack(const char *self, size_t offset, const char *folder) {
    sqfs image;
    sqfs_traverse walk;
    sqfs_err error = SQFS_OK;
    char target[2 * PATH_MAX], link[PATH_MAX];
    if (sqfs_open_image(&image, self, offset) ||
        sqfs_traverse_open(&walk, &image, sqfs_inode_root(&image)))
        return -1;
    while (sqfs_traverse_next(&walk, &error)) {
        sqfs_inode inode;
        size_t size = sizeof link;
        int bad = 0;
        if (walk.dir_end)
            continue;
        snprintf(target, sizeof target, "%s/%s", folder, walk.path);
        if (sqfs_inode_get(&image, &inode, sqfs_dentry_inode(&walk.entry)))
            return -1;
        if (S_ISDIR(inode.base.mode))
            bad = mkdir(target, 0755);
        else if (S_ISLNK(inode.base.mode))
            bad = sqfs_readlink(&image, &inode, link, &size) || symlink(link, target);
        else
            bad = unpack_file(&image, &inode, target, inode.base.mode & 0777);
        if (bad)
            return -1;
    }
    return error ? -1 : 0;
}

/* The folder of an unpacked image, named by its time and size; made once. */
static int unpacked(const char *self, size_t offset, char *folder, size_t room) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char part[PATH_MAX];
    struct stat status;
    if (stat(self, &status) || (!cache && !home))
        return -1;
    snprintf(folder, room, "%s%s", cache ? cache : home, cache ? "" : "/.cache");
    mkdir(folder, 0700);
    snprintf(folder + strlen(folder), room - strlen(folder), "/kpinspector-appimage-%lld-%lld",
             (long long)status.st_mtime, (long long)status.st_size);
    if (!access(folder, X_OK))
        return 0;
    snprintf(part, sizeof part, "%.4000s.XXXXXX", folder);
    if (!mkdtemp(part) || unpack(self, offset, part))
        return -1;
    return rename(part, folder) && access(folder, X_OK) ? -1 : 0;
}

int main(int count, char **words) {
    char self[PATH_MAX] = "", folder[PATH_MAX] = "/tmp/.kpinspector-XXXXXX", start[PATH_MAX + 8];
    int ready[2], alive[2];
    char mounted = 0;
    (void)count;
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0 || pipe(ready) || pipe(alive))
        return fail("cannot start");
    size_t offset = end_of_program(self);
    if (!getenv("APPIMAGE_EXTRACT_AND_RUN") && mkdtemp(folder)) {
        if (fork() == 0) {
            close(ready[0]);
            close(alive[1]);
            setsid();
            _exit(serve(self, offset, folder, ready[1], alive[0]));
        }
        close(ready[1]);
        if (read(ready[0], &mounted, 1) != 1)
            rmdir(folder);
    }
    close(alive[0]);
    close(ready[0]);
    if (!mounted && unpacked(self, offset, folder, sizeof folder))
        return fail("can neither be mounted nor unpacked");
    snprintf(start, sizeof start, "%s/AppRun", folder);
    setenv("APPIMAGE", self, 1);
    setenv("APPDIR", folder, 1);
    execv(start, words);
    return fail(start);
}
