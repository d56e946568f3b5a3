/** The human's control: egress policy, approvals, audit log, export, retirement; and what operators do. */
export const cliControlRequirements: Readonly<Record<string, string>> = {
  "C-egress-show": "egress show says the policy of a handle; handle show says its mode.",
  "C-egress-set":
    "egress set replaces mode and lists, each where it is given; --no-allow and --no-deny empty a list.",
  "C-egress-lists": "egress allow, deny and forget change the lists target by target.",
  "C-egress-targets":
    "Targets are @bob, '#ops' or space:ops; what is none is refused before anything is sent.",
  "C-egress-blocked":
    "What egress refuses ends with 4, and says how the human sees the policy and lets it through.",
  "C-held":
    "What is held says that the human must approve it, and how; it ends with 0, and --json has its status.",
  "C-approval-list": "approval list shows what waits first, with a filter for state and handle.",
  "C-approval-show": "approval show shows all that would be sent: text, payload, target.",
  "C-approval-answer":
    "approval approve sends what is held, reject does not; several ids are answered in turn.",
  "C-approval-remember": "approve --remember puts the target on allow.",
  "C-approval-refused":
    "What is refused after its approval is shown with its envelope, and approve ends with the code of that error.",
  "C-audit": "audit shows the log, newest first, with filters for handle, action and time.",
  "C-audit-export": "audit --all --json writes an entry per line.",
  "C-export": "export writes everything that the account owns as JSON lines, to a file or standard output.",
  "C-export-cut": "An export that is cut short ends with 8 and leaves no file, nor does Ctrl-C.",
  "C-export-file": "export replaces a file with --force alone; the file is its owner's alone.",
  "C-call-lines": "call writes the lines of an operation that answers JSON lines.",
  "C-retire":
    "handle retire says what it does, asks for the name to be typed, and forgets the keys that the profile keeps.",
  "C-operator-acts": "operator remove-wire, suspend and restore act over the API with an operator's key.",
};
