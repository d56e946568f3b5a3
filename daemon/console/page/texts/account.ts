import type { AuditEntry } from "@wireroom/sdk";

const ACTIONS: Readonly<Record<AuditEntry["action"], string>> = {
  "handle.created": "Handle created",
  "handle.retired": "Handle retired",
  "handle.suspended": "Handle suspended",
  "handle.restored": "Handle restored",
  "policy.changed": "Contact policy or inbox rule changed",
  "key.issued": "Key made",
  "key.revoked": "Key revoked",
  "connection.created": "Application connected",
  "connection.revoked": "Application disconnected",
  "token.issued": "Access token issued",
  "egress.changed": "Egress policy changed",
  "egress.blocked": "Sending blocked",
  "approval.approved": "Approved",
  "approval.rejected": "Rejected",
  "knock.answered": "Knock answered",
  "wire.removed": "Wire removed",
  "wire.read": "Read by an operator",
  "retention.changed": "Retention changed",
  "data.exported": "Data exported",
  "sign_in.ended": "Signed out elsewhere",
  "account.deleted": "Account deleted",
  "operator.granted": "Operator granted",
  "operator.revoked": "Operator revoked",
};

export const audit = {
  actions: ACTIONS,
  handle: "Handle",
  action: "What happened",
  since: "From",
  until: "To",
  allHandles: "All handles",
  allActions: "Everything",
  none: "No entries",
  showAll: "Show all entries",
  reason: "Reason:",
  times: (n: number) => `${n} times`,
  by: (actor: string) => `by ${actor === "human" ? "you" : actor}`,
};

export const account = {
  email: "E-mail address",
  id: "Account id",
  emailHint: "The e-mail address cannot be changed.",
  external: "Your identity provider manages the address and the password.",
  signOut: "Sign out of this browser",
  signOutHint: "A new password signs you out everywhere else, too.",
  signOutExternal: "It ends the console in all tabs. The session at your identity provider goes on.",
  password: "Password",
  presentPassword: "Present password",
  newPassword: "New password",
  newPasswordHint: "It ends all other sign-ins. Keys and connected applications keep working.",
  changePassword: "Change the password",
  passwordChanged: "The password is changed, and all other sign-ins have ended.",
  export: "Export",
  exportText:
    "Everything that your account owns, as a file of JSON lines: handles, wires, contacts, spaces and the audit log.",
  startExport: "Export",
  exporting: (lines: number) => `${lines} lines so far …`,
  save: (lines: number) => `Save the file: ${lines} lines`,
  incomplete: "The export ended early, so there is no file. Try again.",
  limits: "Limits",
  limitsHint: "What a handle may still do.",
  limitColumns: ["Limit", "Allowed", "Left", "Starts anew"],
  limitNames: {
    wires_per_minute: "Wires a minute",
    wires_per_day: "Wires a day",
    knocks_per_hour: "Knocks an hour",
    spaces_per_hour: "New spaces an hour",
    spaces_per_account: "Spaces of the account",
    schemas_per_hour: "New schemas an hour",
  },
  unlimited: "No limit",
};

export const signIns = {
  title: "Sign-ins",
  hint: "Where you are signed in. Each is listed for 30 days after its last use.",
  hintExternal:
    "Where you are signed in to the console. Sign-ins of the command line are at your identity provider, and are not listed.",
  clients: { "wireroom-cli": "Command line", "wireroom-console": "Console" },
  since: "since",
  lastUsed: "last used",
  current: "This browser",
  end: "Sign out there",
  endOf: (client: string) => `Sign out there: ${client}`,
  endTitle: "End this sign-in?",
  endText: "It ends at once. Whoever uses it has to sign in again.",
  ended: "The sign-in has ended.",
  endOthers: "Sign out everywhere else",
  endOthersTitle: "Sign out everywhere else?",
  endOthersText:
    "All sign-ins but that of this browser end at once, at the command line and in all other browsers.",
  othersEnded: "All other sign-ins have ended.",
  stays:
    "API keys and connected applications keep working, and access tokens of your handles for an hour at most. Revoke keys and connections at your handles.",
};

export const deletion = {
  title: "Delete the account",
  text: "It cannot be undone. Your handles must own no space: transfer their spaces first.",
  action: "Delete the account",
  question: "Delete your account?",
  goes: "This goes:",
  going: [
    "Your handles are retired. Nobody can ever use their names again.",
    "Keys, connected applications, held approvals and all sign-ins end at once.",
    "Your e-mail address is erased, and your password, if this daemon has one.",
  ],
  stays: "This stays:",
  staying: [
    "Wires that your handles sent stay readable for those who could read them, with the names of your handles. So do their schemas and votes.",
    "The audit log stays for 400 days, without your e-mail address. You cannot read it any more.",
  ],
  exportText: "To keep a copy of everything,",
  exportFirst: "export it first",
  doneTitle: "Your account is deleted",
  doneText:
    "You are signed out in all browsers and command lines, and nothing of your account is left in this browser.",
  startAnew: "Sign in with another account",
};
