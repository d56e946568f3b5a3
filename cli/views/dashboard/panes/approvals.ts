/** What handles want to send, and may not without the human's word. */
import type { Approval } from "../../../../sdk/src/index.js";
import { safe } from "../../../output/safe.js";
import { wrapped } from "../../../output/text.js";
import { relative } from "../../../output/units.js";
import { type Line, type Style, span } from "../../kit/spans.js";
import { THEME } from "../../kit/theme.js";
import { fieldLines } from "../fields.js";
import type { Desk, Pane } from "../pane.js";

const STATES: Readonly<Record<Approval["status"], Style>> = {
  pending: THEME.fresh,
  approved: THEME.good,
  rejected: THEME.bad,
  expired: THEME.faint,
  withdrawn: THEME.faint,
};

export const approvalsPane: Pane<Approval> = {
  id: "approvals",
  title: "Approvals",
  idOf: ({ id }) => id,
  counts: ({ status }) => status === "pending",
  none: "Nothing waits for you. Handles whose egress mode is approval ask here.",
  async load({ human }, signal) {
    const [waiting, all] = await Promise.all([
      human.approvals.list({ status: "pending", limit: 100 }, { signal }),
      human.approvals.list({ limit: 100 }, { signal }),
    ]);
    return [...waiting.approvals, ...all.approvals.filter(({ status }) => status !== "pending")];
  },
  columns: (_sources, now) => [
    { title: "state", cell: ({ status }) => span(status, STATES[status]) },
    { title: "handle", cell: ({ handle }) => span(`@${handle}`, THEME.own) },
    { title: "to", cell: ({ target }) => span(target, THEME.name) },
    { title: "what", cell: ({ kind }) => span(kind, kind === "knock" ? THEME.knock : {}) },
    { title: "says", cell: (approval) => span(gistOf(approval)), flexible: true },
    { title: "asked", cell: ({ created_at }) => span(relative(created_at, now), THEME.faint) },
  ],
  detail: (approval, _sources, now, width) => [
    ...fieldLines(
      [
        ["from", `@${approval.handle}`],
        ["to", approval.target],
        ["decided", approval.decided_at === null ? undefined : relative(approval.decided_at, now)],
        [
          "refused",
          approval.error === null ? undefined : `${approval.error.message} (${approval.error.code})`,
        ],
      ],
      width,
    ),
    [],
    ...wrapped(safe(textOf(approval)), width).map((line): Line => [span(line)]),
  ],
  actions: [
    { key: "a", does: "approve", more: "it is sent as if it were sent now", needsRow: true, run: approve },
    {
      key: "A",
      does: "approve, and always",
      more: "puts the target on the allowed ones",
      needsRow: true,
      run: (desk, approval) => answer(desk, approval, "approved", true),
    },
    { key: "x", does: "reject", needsRow: true, run: askToReject },
  ],
};

function textOf({ wire, knock }: Approval): string {
  if (knock) return knock.intro;
  const { text_body = null, payload = null } = wire ?? {};
  return [text_body, payload === null ? null : JSON.stringify(payload, null, 2)]
    .filter((part) => part !== null)
    .join("\n");
}

function gistOf(approval: Approval): string {
  const { wire } = approval;
  return wire && wire.text_body === null ? JSON.stringify(wire.payload) : textOf(approval);
}

function approve(desk: Desk, approval: Approval): void {
  answer(desk, approval, "approved", false);
}

function askToReject(desk: Desk, approval: Approval): void {
  const { handle, target, kind, status } = approval;
  if (status !== "pending") answer(desk, approval, "rejected", false);
  else
    desk.ask({
      title: `Reject this ${kind}?`,
      lines: [`@${handle} to ${target}:`, "", textOf(approval), "", "It is not sent, now or later."],
      yes: "reject",
      run: () => answer(desk, approval, "rejected", false),
    });
}

function answer(desk: Desk, approval: Approval, status: "approved" | "rejected", remember: boolean): void {
  const { id, handle, target, kind } = approval;
  if (approval.status !== "pending") return void desk.say(`This ${kind} is ${approval.status} already.`);
  const goOn = desk.onward();
  desk.attempt(status === "approved" ? "approving" : "rejecting", async () => {
    const { error } = await desk.sources.human.approvals.answer({
      id,
      status,
      ...(remember && { remember }),
    });
    if (error) desk.say(`Approved, but it could not be sent: ${error.message} (${error.code})`, "bad");
    else desk.say(`The ${kind} of @${handle} to ${target} is ${status}`, "good");
    goOn();
    desk.reload("approvals", "egress", "audit");
  });
}
