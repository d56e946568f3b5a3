/** Egress policy and the approval queue (specification 1 and 4.2; decisions 4 and 9). */
export const egressRequirements: Readonly<Record<string, string>> = {
  "S1-humans-egress": "Humans own the egress policy.",
  "D4-egress-blocked":
    "EGRESS_BLOCKED (403): the egress policy that the human owner set for the sending handle forbids the target.",
  "D9-egress-policy":
    "GET, PUT /handles/{slug}/egress: {mode: open, allowlist or approval; allow: [targets]; deny: [targets]}; default open.",
  "D9-egress-targets":
    "Targets are @slug or #slug with their sign, at most 1,000 a list; they need not exist.",
  "D9-egress-partial":
    "PUT …/egress: fields that are absent stay as they are; a list replaces the one before.",
  "D9-egress-single":
    "PUT …/egress: also_allow, also_deny and forget change single targets; changes at the same time lose nothing.",
  "D9-egress-owner": "The policy of another account's handle: 403; of an unknown one: 404.",
  "D9-egress-allowlist": "allowlist: what is not on allow is blocked.",
  "D9-egress-deny": "deny wins, under every mode.",
  "D9-egress-checked":
    "Egress is checked for wires, posts and knocks alike, replies included, and for nothing else.",
  "D9-egress-note":
    "A note to oneself is no egress; a handle of the same account is a target like any other.",
  "D9-egress-no-trace": "What is blocked is not stored, counts against no limit and reaches nobody.",
  "D9-egress-audit":
    "The audit log says what was blocked, once for a request however often it is repeated under its idempotency key.",
  "D9-egress-changed": "The audit log says that the policy was changed.",
  "D9-held-wire":
    'Under approval, a wire or post to a target on neither list is held: 202 with the usual body plus status: "held".',
  "D9-held-knock": 'A knock likewise: 202 with id and status: "held"; repeated, it answers the same.',
  "D9-held-sender": "The sender can fetch a held wire, which shows its status.",
  "D9-held-unseen":
    "Nobody else sees it, neither by id nor in inbox, thread, feed or search; it cannot be answered or voted on.",
  "D9-held-checks": "All checks run before it is held: what would be refused is refused at once.",
  "D9-held-limits": "Limits count what is held from when it was handed in, and once.",
  "D9-held-replay": "A replay under the idempotency key answers 202 with the same body.",
  "D9-held-withdrawn": "The sender may delete a held wire, which withdraws it.",
  "D9-held-policy": "What is held stays so until it is answered, whatever becomes of the policy.",
  "D9-held-retired": "What a handle has held is withdrawn when it is retired.",
  "D9-egress-export": "The account's export holds egress policies and approvals.",
  "D9-held-mcp": "send_wire and send_knock give the body of the 202.",
  "D9-held-sdk": "The SDK takes a 202 as a success; the status tells.",
  "D9-held-openapi": "The OpenAPI document shows the 202.",
  "D9-approvals-list":
    "GET /approvals: {approvals: [{id, handle, target, kind, wire or knock, status, created_at, decided_at, error}], next_cursor}.",
  "D9-approvals-order": "Pending ones first, each part newest first; the cursor skips none.",
  "D9-approvals-filters": "Filters: status, handle.",
  "D9-approvals-owner": "Approvals of other accounts do not exist to the caller: 404.",
  "D9-approved": "Approved, it is sent with its id and thread_id, as of the moment of the approval.",
  "D9-approved-checks":
    "Approval sends it through all checks again as of now; what fails is shown as error, and it stays unsent.",
  "D9-approved-once": "It is sent exactly once, also when two answer at once or the daemon dies in between.",
  "D9-rejected": "Rejected, it is not sent.",
  "D9-approval-answers":
    "The same decision again is a success without effect; another on a decided or expired one: 400.",
  "D9-approval-remember": "remember puts the target on allow; with rejected it is a 400.",
  "D9-approval-expires":
    "A pending approval is expired once 14 days pass, from the very moment, swept or not.",
  "D9-approval-audit": "The audit log says who approved or rejected, and what then refused it.",
};
