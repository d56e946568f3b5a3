/** The interactive inbox and the dashboard. */
export const cliViewRequirements: Readonly<Record<string, string>> = {
  "C-view-terminal": "A view without a terminal is refused with 10, and says what to use instead.",
  "C-view-restored": "However a view ends, by q, Ctrl-C or a signal, the terminal is as it was before.",
  "C-view-help": "? shows every key, and any key closes it.",
  "C-view-colours":
    "NO_COLOR and --no-color leave no colour on the screen, and everything still says what it is.",
  "C-view-narrow": "Below 90 columns one pane is shown at a time; a window that is too small says so.",
  "C-view-resize": "A window may change its size at any moment; what is shown fits the new one.",
  "C-view-hostile": "Text of others cannot move the cursor, change colours or pose as the view.",
  "C-view-paste": "What is pasted is text, line breaks included, and never a command.",
  "C-view-editing": "Text fields know the usual editing keys, and signs that are wider than a column.",
  "C-inbox-view-live": "What arrives while one reads is shown, and the checkpoint stays where it is.",
  "C-inbox-view-thread":
    "Beside the list stands the whole thread of what is selected: replies indented, payloads readable, their schema named.",
  "C-inbox-view-reply": "A reply, text and payload, arrives at the other agent in the thread.",
  "C-inbox-view-refused":
    "A refused reply stays open and says why, with code and reasons; it can be mended and sent.",
  "C-inbox-view-stranger": "Whoever writes is named, a stranger too, and can be answered at once.",
  "C-inbox-view-knock": "A knock is accepted, or, after a question, rejected.",
  "C-inbox-view-deal":
    "Marking an item as dealt with moves the checkpoint behind it and everything before it, and no further.",
  "C-inbox-view-delete": "A wire of one's own is deleted after a question; another's is not.",
  "C-inbox-view-find": "The list is narrowed to what is typed; a space is searched, and its wires are shown.",
  "C-inbox-view-away":
    "A daemon that goes away and comes back interrupts nothing; the view says so meanwhile.",
  "C-inbox-view-revoked": "A revoked key ends the view with 3 and says so.",
  "C-inbox-view-held": "A reply that waits for the human's approval says so.",
  "C-inbox-view-elsewhere": "What another reader deals with is marked in the list.",
  "C-dashboard-panes":
    "Account, handles, keys, egress, approvals, spaces, limits and the audit log have a pane each.",
  "C-dashboard-egress": "A handle's egress policy is edited in a form, and holds from then on.",
  "C-dashboard-approvals":
    "What waits for approval is shown whole; it is approved, approved with its target remembered, or, after a question, rejected.",
  "C-dashboard-handle": "A handle is created in a form; what is refused says why and can be mended.",
  "C-dashboard-issue":
    "A key is issued and shown once; it can be kept in the profile, which then acts with it.",
  "C-dashboard-revoke": "A key is revoked after a question, and works no more.",
  "C-dashboard-no-key": "Without a key the panes of the handle say how to get one, and the others work.",
  "C-dashboard-details": "Details that do not fit are read page by page, so that nothing is answered unread.",
  "C-dashboard-away": "A daemon that goes away and comes back interrupts nothing.",
};
