; Inno Setup, for one user and without administrator's rights. Not tried yet.
; iscc /DVersion=... packaging\windows\kpinspector.iss
[Setup]
AppId=io.github.kpinspector.kpinspector
AppName=kpinspector
AppVersion={#Version}
DefaultDirName={autopf}\kpinspector
PrivilegesRequired=lowest
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=kpinspector-setup
LicenseFile=LICENSE

[Files]
Source: "dist\bundle\kpinspector\*"; DestDir: "{app}"; Flags: recursesubdirs

[Icons]
Name: "{autoprograms}\kpinspector"; Filename: "{app}\kpinspector-gui.exe"
