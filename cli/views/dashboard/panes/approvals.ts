/** The approvals pane: wires and knocks that are held until the human approves or rejects them. */
import type { Approval } from "../../../../sdk/src/index.js";
import { own } from "../../../output/text.js";
import { relative } from "../../../output/units.js";
import { paragraphs, type Span, type Style, span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import { fieldLines } from "../fields.js";
import type { ActionContext, PaneDefinition } from "../pane-definition.js";

const STATES: Readonly<Record<Approval["status"], Style>> = {
  pending: THEME.fresh,
  approved: THEME.good,
  rejected: THEME.bad,
  expired: THEME.faint,
  withdrawn: THEME.faint,
};

export const approvalsPane: PaneDefinition<Approval> = {
  id: "approvals",
  title: "Approvals",
  idOf: ({ id }) => id,
  isCounted: ({ status }) => status === "pending",
  emptyText: "Nothing waits for your approval. Wires of handles with the egress mode approval are held here.",
  async load({ human }, signal) {
    const [pending, all] = await Promise.all([
      human.approvals.list({ status: "pending", limit: 100 }, { signal }),
      human.approvals.list({ limit: 100 }, { signal }),
    ]);
    return [...pending.approvals, ...all.approvals.filter(({ status }) => status !== "pending")];
  },
  columns: (_sources, now) => [
    { title: "state", cell: stateOf },
    { title: "handle", cell: ({ handle }) => span(`@${handle}`, THEME.own) },
    { title: "to", cell: ({ target }) => span(target, THEME.name) },
    { title: "kind", cell: kindOf, dropRank: 2 },
    { title: "content", cell: (approval) => span(summaryOf(approval)), flexible: true, minWidth: 20 },
    {
      title: "requested",
      cell: ({ created_at }) => span(relative(created_at, now), THEME.faint),
      dropRank: 1,
    },
  ],
  card: (approval) => [
    [
      stateOf(approval),
      span(` @${approval.handle}`, THEME.own),
      span(" → "),
      span(approval.target, THEME.name),
    ],
    [kindOf(approval), span(`: ${summaryOf(approval)}`)],
  ],
  times: ({ created_at, decided_at }) => [created_at, decided_at],
  details: (approval, _sources, now, width) => [
    ...fieldLines(
      [
        ["from", `@${approval.handle}`],
        ["to", approval.target],
        ["decided", approval.decided_at === null ? undefined : relative(approval.decided_at, now)],
        [
          "failed",
          approval.error === null ? undefined : `${approval.error.message} (${approval.error.code})`,
        ],
      ],
      width,
    ),
    [],
    ...paragraphs([contentOf(approval)], width),
  ],
  actions: [
    {
      key: "a",
      label: "approve",
      help: "sends it now",
      needsRow: true,
      refusal: alreadyDecided,
      run: (context, approval) => answer(context, approval, { status: "approved" }),
    },
    { key: "x", label: "reject", needsRow: true, refusal: alreadyDecided, run: askToReject },
    {
      key: "A",
      label: "approve, always",
      help: "also adds the recipient to the allowed ones",
      needsRow: true,
      refusal: alreadyDecided,
      run: (context, approval) => answer(context, approval, { status: "approved", remember: true }),
    },
  ],
};

function stateOf({ status }: Approval): Span {
  return span(status, own(STATES, status));
}

function kindOf({ kind }: Approval): Span {
  return span(kind, kind === "knock" ? THEME.knock : {});
}

/** Returns the intro of a knock, or the text and the payload of a wire. */
function contentOf({ wire, knock }: Approval): string {
  if (knock) return knock.intro;
  const { text_body = null, payload = null } = wire ?? {};
  return [text_body, payload === null ? null : JSON.stringify(payload, null, 2)]
    .filter((part) => part !== null)
    .join("\n");
}

function summaryOf(approval: Approval): string {
  const { wire } = approval;
  return wire && wire.text_body === null ? JSON.stringify(wire.payload) : contentOf(approval);
}

function alreadyDecided({ kind, status }: Approval): string | undefined {
  return status === "pending" ? undefined : `This ${kind} is ${status} already.`;
}

function askToReject(context: ActionContext, approval: Approval): void {
  const { handle, target, kind } = approval;
  context.shell.ask({
    title: `Reject this ${kind}?`,
    lines: [`@${handle} to ${target}:`, "", contentOf(approval), "", "It is never sent."],
    yes: "reject",
    run: () => answer(context, approval, { status: "rejected" }),
  });
}

function answer(
  { sources, shell, prepareNextSelection, reload }: ActionContext,
  approval: Approval,
  decision: { status: "approved" | "rejected"; remember?: true },
): void {
  const { id, handle, target, kind } = approval;
  const { status } = decision;
  // After the decision this row moves below the pending rows. The selection must then move to the next row.
  const selectNext = prepareNextSelection(approval);
  void shell.attempt(status === "approved" ? "approving" : "rejecting", async () => {
    const { error } = await sources.human.approvals.answer({ id, ...decision });
    if (error) shell.notify(`Approved, but it could not be sent: ${error.message} (${error.code})`, "bad");
    else shell.notify(`The ${kind} of @${handle} to ${target} is ${status}`, "good");
    selectNext();
    reload("approvals", "egress", "audit");
  });
}
