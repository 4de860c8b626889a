"""The phone's widget toolkit: layout, bars, dialogs, pickers, the keyboard, and the View."""
