"""What several panes are made of: messages, hints, sections, dialogs with sections."""
