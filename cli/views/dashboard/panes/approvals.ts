/** The pane with the wires and knocks that wait for the human's approval. */
import type { Approval, ApprovalsAnswerInput } from "../../../../sdk/src/index.js";
import { own } from "../../../output/text.js";
import { field } from "../../frame/form.js";
import { type Style, THEME } from "../../styled-text/spans.js";
import { type ActionContext, ageOf, type Pane, timeColumn } from "../pane.js";

const STATES: Readonly<Record<Approval["status"], Style>> = {
  pending: THEME.fresh,
  approved: THEME.good,
  rejected: THEME.bad,
  expired: THEME.faint,
  withdrawn: THEME.faint,
};

const ANSWER = {
  refusal: alreadyDecided,
  movesRow: true,
} as const;

export const approvalsPane: Pane<Approval> = {
  id: "approvals",
  title: "Approvals",
  emptyText: "Nothing waits for your approval. Wires of handles with the egress mode approval are held here.",
  idOf: ({ id }) => id,
  isCounted: ({ status }) => status === "pending",
  async load({ human }, signal) {
    const [pending, all] = await Promise.all([
      human.approvals.list({ status: "pending", limit: 100 }, { signal }),
      human.approvals.list({ limit: 100 }, { signal }),
    ]);
    return [...pending.approvals, ...all.approvals.filter(({ status }) => status !== "pending")];
  },
  columns: [
    { title: "state", text: ({ status }) => status, style: ({ status }) => own(STATES, status) },
    { title: "handle", text: ({ handle }) => `@${handle}`, style: THEME.own },
    { title: "to", text: ({ target }) => target, style: THEME.name },
    {
      title: "kind",
      text: ({ kind }) => kind,
      style: ({ kind }) => (kind === "knock" ? THEME.knock : {}),
      rank: 2,
    },
    { title: "content", text: summaryOf, flexible: true, minWidth: 20 },
    timeColumn("requested", ({ created_at }) => created_at, 1),
  ],
  details: ({ handle, target, decided_at, note, error }, now) => [
    ["from", `@${handle}`],
    ["to", target],
    ["decided", decided_at === null ? undefined : ageOf(decided_at, now)],
    ["note", note ?? undefined],
    ["failed", error === null ? undefined : `${error.message} (${error.code})`],
  ],
  text: contentOf,
  actions: [
    {
      ...ANSWER,
      key: "a",
      label: "approve",
      help: "sends it now",
      busy: "approving",
      run: (context, approval) => answer(context, approval, { status: "approved" }),
    },
    {
      ...ANSWER,
      key: "r",
      label: "reject",
      help: "never sends it; with a note, if you like",
      form: ({ kind, handle, target }) => ({
        title: `Reject this ${kind} to ${target}`,
        verb: "reject",
        fields: [field("note", "Note", { hint: `tells @${handle} why; may be left empty` })],
      }),
      run: (context, approval, { note = "" }) =>
        answer(context, approval, { status: "rejected", ...(note.trim() !== "" && { note: note.trim() }) }),
    },
    {
      ...ANSWER,
      key: "A",
      label: "approve, always",
      help: "also adds the recipient to the allowed ones",
      busy: "approving",
      run: (context, approval) => answer(context, approval, { status: "approved", remember: true }),
    },
  ],
};

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

async function answer(
  { sources, shell }: ActionContext,
  { id, handle, target, kind }: Approval,
  decision: Omit<ApprovalsAnswerInput, "id">,
): Promise<string | undefined> {
  const { error } = await sources.human.approvals.answer({ id, ...decision });
  if (!error) return `The ${kind} of @${handle} to ${target} is ${decision.status}`;
  shell.notify(`Approved, but it could not be sent: ${error.message} (${error.code})`, "bad");
  return undefined;
}
