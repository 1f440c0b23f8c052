"""The table of actions: names, keys, icons, and the menus made of them."""
