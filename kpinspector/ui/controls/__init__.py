"""Controls that are painted by hand: buttons, fields, chips, sliders, lists."""
