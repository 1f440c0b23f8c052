"""Controls: Qt's own under the style sheet, and those that it cannot make, painted by hand."""
