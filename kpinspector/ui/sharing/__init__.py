"""The Sharing tab: what would leave the machine, gate by gate and part by part."""
