"""Controls: Qt's own under the style sheet, and others that are painted by hand."""
