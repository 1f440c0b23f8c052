"""Parts that several panes share: messages, hints, sections, dialogs with sections."""
