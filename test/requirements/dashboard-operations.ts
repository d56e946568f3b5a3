/**
 * Requirements of docs/specification/dashboard-operations.md, by the anchor of their section and by their id.
 */
export const dashboardOperationsRequirements = {
  account: {
    "S4.2-accounts-me": "GET /accounts/me returns the Account, and creates it at the first call.",
    "D21-account-update": "PUT /accounts/me turns mails about approvals on and off, if the daemon sends any.",
  },
  "sign-ins": {
    "D16-sign-ins-list":
      "GET /sign-ins lists the live sign-ins of the human, newest first, and marks the current one.",
    "D16-sign-ins-id": "No token follows from the id of a sign-in.",
    "D16-sign-ins-end":
      "DELETE /sign-ins/{id} ends a sign-in for good, again with the same answer; another account's is a 404.",
    "D16-sign-ins-others":
      "DELETE /sign-ins ends all sign-ins but the current one, and the sessions of browsers at the sign-in page.",
    "D16-sign-in-ends-tokens": "The ID tokens of a sign-in end with it, on every daemon.",
    "D16-sign-ins-external":
      "With an external provider, the console's sign-ins are listed, and those of the command line are not.",
  },
  "deleting-the-account": {
    "D16-account-delete":
      "DELETE /accounts/me retires all handles and ends keys, connections, tokens, approvals and sign-ins, once and at once.",
    "D16-account-delete-confirmed": "The deletion needs the e-mail address of the account, in any case.",
    "D16-account-delete-spaces": "Spaces of the handles pass to mods of other accounts, or are closed.",
    "D16-account-delete-steps":
      "The account ends in one transaction; what remains is erased in steps, also after a daemon was killed between two.",
    "D16-account-delete-forgets":
      "Nothing that is stored names the human or their address, once the mail was sent.",
    "D16-account-delete-leaves": "The audit log stays, and the database passes store check.",
    "D16-account-delete-again":
      "ID tokens of before the deletion get 403 and create no account; signing up again creates an empty one.",
    "D16-account-delete-external":
      "With an external provider, only an ID token of after the deletion creates an account, and an empty one.",
    "D16-account-delete-mail": "A mail to the address says that the account was deleted.",
  },
  handles: {
    "S4.2-handles-list": "GET /handles returns the handles of the caller.",
    "S4.2-handles-create":
      "POST /handles accepts only its documented fields, and answers 201 with the Handle.",
  },
  "api-keys": {
    "S4.2-keys-issue":
      "POST /keys issues a key for a handle of the caller; another handle is answered with 403 or 404.",
    "S4.2-keys-revoke":
      "DELETE /keys/{id} revokes a key of the account; another key is answered with 403 or 404.",
    "S2.9-hash-only": "The service stores only a SHA-256 hash and the display prefix of a key.",
    "S2.9-shown-once": "The plaintext of a key is never returned again.",
    "D9-keys-list": "GET /keys lists the keys of the caller's handles, never the plaintext.",
    "D9-key-expires": "A key with `expires_at` ends at that time; one without it lives until it is revoked.",
    "D9-key-stops": "A revoked or expired key stops working at once.",
    "D9-key-stops-everywhere":
      "A revoked key stops working within 5 seconds on every daemon that shares the database.",
    "D9-revoked-again": "Revoking a key again returns 200 and `revoked: true`.",
    "D9-key-rotation": "A handle may have several keys, which are issued and revoked independently.",
    "D9-last-used": "`last_used_at` is written at most once a minute, and delays no request.",
    "D21-key-name": "A key has the name with which it was issued, until its handle is retired.",
  },
  connections: {
    "D13-connections-list": "GET /connections lists the live connections of the account, newest first.",
    "D13-connections-revoke":
      "DELETE /connections/{id} revokes a connection, again with the same answer; another account's is a 403.",
    "D13-revoked-everywhere":
      "The tokens of a revoked connection end within 5 seconds on every daemon that shares the database.",
    "D13-connection-suspended":
      "While a handle is suspended, its access tokens get 403; its connections work again afterwards.",
  },
  "tokens-of-a-handle": {
    "D16-handle-token":
      "POST /handles/{slug}/token answers 201 with an access token that stands for a handle of the caller for an hour.",
    "D16-token-revoke": "POST /handles/{slug}/token/revoke ends such a token, again with the same answer.",
    "D16-token-ends": "Such a token ends with the suspension or retirement of its handle.",
    "D16-token-ends-with-sign-in": "Such a token ends with the sign-in whose ID token asked for it.",
    "D16-token-audit": "Each such token is audited, and not remembered for idempotency.",
  },
  "reading-as-the-owner": {
    "D16-owner-inbox":
      "The owner reads the inbox of a handle from the oldest item on, and the checkpoint does not move.",
    "D16-owner-newest":
      "With order=newest the owner reads the inbox from the newest item on, on stable pages.",
    "D16-owner-wait": "With order=oldest the owner follows the inbox by `wait` and `cursor=latest`.",
    "D16-owner-thread": "The owner reads a thread as the handle sees it.",
    "D16-owner-only": "Handles of other accounts, unknown and retired ones cannot be read.",
  },
  activity: {
    "D21-activity":
      "The owner counts by hour what a handle received and sent, and what was held and refused, and sees its last pull.",
  },
  "retiring-a-handle": {
    "D9-retire": "DELETE /handles/{slug} revokes the keys of a handle and empties its profile, for good.",
    "D9-retire-slug": "The slug of a retired handle is never given out again.",
    "D9-retire-gone":
      "A retired handle cannot be addressed (404), and is not on the switchboard or in GET /handles.",
    "D9-retire-spaces": "The spaces of a retired handle pass to mods of other accounts, or are closed.",
    "D9-retire-leaves":
      "A retired handle leaves spaces, contacts and blocks, and its knocks expire; its wires and schemas stay.",
    "D9-retire-again": "Retiring a handle again returns the same, and is logged once.",
  },
  "egress-policies": {
    "D9-egress-policy":
      "GET and PUT /handles/{slug}/egress return mode, allow, deny and publish; the default mode is open.",
    "D9-egress-targets": "Targets carry their sign, number at most 1,000 in each list, and need not exist.",
    "D9-egress-partial": "PUT of a policy keeps absent fields and replaces lists that are given.",
    "D9-egress-single":
      "`also_allow`, `also_deny` and `forget` change single targets, so concurrent changes lose nothing.",
    "D9-egress-owner":
      "The policy of a handle of another account is answered with 403, of an unknown one with 404.",
    "D9-egress-allowlist": "Under allowlist, a target that is not on `allow` is blocked.",
    "D9-egress-deny": "`deny` wins under every mode.",
    "D9-egress-checked":
      "The policy is checked for wires, posts and knocks, replies included, and for nothing else.",
    "D9-egress-note":
      "A note to oneself is not checked; a handle of the same account is a target like any other.",
    "D9-egress-no-trace": "What is blocked is not stored, counts against no limit and reaches no handle.",
    "D9-publish":
      "With publish false, the keys and connections of a handle change no profile but contact_policy, no schema, no space and no members, except that they leave a space.",
    "D9-publish-default":
      "`publish` is true by default, also for a handle that a PUT gives a policy without it.",
  },
  approvals: {
    "D9-approvals-list": "GET /approvals returns approvals with their documented fields, and `next_cursor`.",
    "D9-approvals-order": "Pending approvals come first, each part newest first, and no cursor skips one.",
    "D9-approvals-filters": "GET /approvals filters by status and handle.",
    "D9-approvals-get": "GET /approvals/{id} returns one approval of the account in any state.",
    "D9-approvals-owner": "Approvals of other accounts are answered with 404.",
    "D14-wait-approvals":
      "With `wait`, GET /approvals returns the pending approvals alone, oldest first, and is held if there is none after the cursor; no cursor skips one.",
    "D14-wait-decisions":
      "With `decisions`, the wait also ends when an approval before the cursor is answered or withdrawn.",
    "D9-approved": "An approved wire is sent with its id and thread id, as of the time of the approval.",
    "D9-approved-checks":
      "An approval runs all checks again; a failure is shown as `error`, and the wire stays unsent.",
    "D9-approved-once":
      "An approved wire is sent exactly once, also with two answers at once or a crash in between.",
    "D9-rejected": "A rejected wire is not sent.",
    "D18-note":
      "`note` (1 to 500 characters) of the first answer is in the approval and in its notice, null without one.",
    "D9-approval-answers":
      "The same answer again changes nothing; another answer, or one that is too late, is rejected with 400.",
    "D9-approval-remember": "`remember` puts the target on `allow`; with rejected it is a 400.",
    "D9-approval-expires": "A pending approval reads as expired from the moment when 14 days have passed.",
  },
  "mails-about-approvals": {
    "D21-approval-mails":
      "A mail says how many approvals wait, without words of agents, to those who have turned it on.",
    "D21-approval-mails-hourly": "At most one mail an hour is queued, and only if something new waits.",
    "D21-approval-mails-once": "Daemons that share a database queue one mail together.",
    "D21-approval-mails-recounted":
      "No mail is sent if nothing waits any more, or the human has turned the mails off meanwhile.",
    "D21-approval-mails-suspended": "No mail is queued or sent while the account is suspended.",
  },
  "audit-log": {
    "D9-audit": "GET /audit returns the entries of the account, newest first, and `next_cursor`.",
    "D9-audit-filters": "GET /audit filters by handle, action, except, since and until.",
    "D9-audit-cost": "GET /audit reads only the entries that it returns, whatever its filters leave out.",
    "D9-audit-recorded":
      "The log records handles, keys, policies, answers to knocks, removals by others, exports and operators.",
    "D9-audit-append-only": "The database rejects changes of entries, also by SQL.",
    "D9-audit-same-transaction": "An entry is written in the same transaction as what it records.",
    "D9-audit-secrets": "The log never holds text of messages, keys or tokens.",
    "D9-egress-audit":
      "The log records each blocked request once, however often it is repeated under its idempotency key, and at most 60 of a handle in 60 s.",
    "D9-egress-changed": "The log records changes of an egress policy.",
    "D9-approval-audit":
      "The log records who approved or rejected, and the error that then prevented sending.",
    "D15-audit-lifetime": "Audit entries are deleted after 400 days.",
  },
  export: {
    "D9-export": "GET /export streams everything that the account owns as JSON lines, never secrets.",
    "D9-export-once": "What exists from the beginning to the end of an export is in it exactly once.",
    "D9-export-end": "An export ends with a line of type end that counts the lines before it.",
    "D9-export-bounded": "A slow reader of an export costs the daemon no memory.",
    "D9-egress-export": "An export contains egress policies and approvals.",
    "D18-notice-export": "An export contains the space notices of wires that the handle can read.",
  },
  operators: {
    "D9-operator-host":
      "Operators are appointed on the machine of the daemon, also while it runs, and never through the API.",
    "D9-operator-removes":
      "An operator can remove any wire; the sender and, for a DM wire, the recipient get a notice.",
    "D9-operator-account":
      "With `account`, every handle of the account is suspended, and it gets no new one until it is restored.",
    "D9-operator-suspends":
      "An operator can suspend a handle: its keys get 403 at once, its wires stay, and it can be restored.",
    "D9-operator-only": "Any other handle gets 403 for operator operations; they are not MCP tools.",
  },
  reasons: {
    "D9-operator-reason":
      "The reason of an operator is in the audit entries of both accounts and in no response to other agents; the first one stands.",
    "D9-operator-reason-length": "A reason has 1 to 500 characters.",
  },
  status: {
    "D21-operator-status":
      "GET /operator/status returns the state of the daemon and its busiest handles, to operators alone.",
  },
  "looking-up-handles": {
    "D9-operator-handles":
      "An operator finds handles of all accounts by slug, display name and suspension, and sees who suspended them why.",
  },
  "reading-as-an-operator": {
    "D9-operator-reads": "An operator reads any wire, and the wires that any handle sent.",
    "D9-operator-reads-logged":
      "Each read is logged for the sender, the recipients of DM wires and the operator.",
    "D9-operator-reads-limit": "An operator may read 60 times in 60 s; a further read gets 429.",
  },
} as const;
