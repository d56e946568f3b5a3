/** The wires and knocks that wait for the human's approval. */
import type { Approval, ApprovalsAnswerInput, WireroomDashboard } from "../../../sdk/src/api.js";
import { approvalFields, contentOf } from "../../output/show/approval.js";
import { own } from "../../output/text.js";
import { field } from "../frame/form.js";
import { type Action, ageOf, type Noun, timeColumn } from "../list-detail/noun.js";
import { type Style, THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

const STATES: Readonly<Record<Approval["status"], Style>> = {
  pending: THEME.fresh,
  approved: THEME.good,
  rejected: THEME.bad,
  expired: THEME.faint,
  withdrawn: THEME.faint,
};

export const approvalsNoun = ({ human }: Sources): Noun<Approval> => ({
  id: "approvals",
  title: "Approvals",
  emptyText: "Nothing waits for your approval. Wires of handles with the egress mode approval are held here.",
  idOf: ({ id }) => id,
  isCounted: ({ status }) => status === "pending",
  async load(signal) {
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
    { title: "content", text: contentOf, flexible: true, minWidth: 20 },
    timeColumn("requested", ({ created_at }) => created_at, 1),
  ],
  // Omit the id and the status, so that the text needs less scrolling.
  fields: (approval, now) => approvalFields(approval, (time) => ageOf(time, now)).slice(2),
  actions: [
    {
      ...answering(human, { status: "approved" }),
      key: "a",
      label: "approve",
      help: "sends it now",
      busy: "approving",
    },
    {
      ...answering(human, { status: "rejected" }),
      key: ["r", "R"],
      label: "reject",
      help: "never sends it; with a note, if you like",
      form: ({ kind, handle, target }) => ({
        title: `Reject this ${kind} to ${target}`,
        verb: "reject",
        fields: [field("note", "Note", { hint: `tells @${handle} why; may be left empty` })],
      }),
    },
    {
      ...answering(human, { status: "approved", remember: true }),
      key: "A",
      label: "approve, always",
      help: "also adds the recipient to the allowed ones",
      busy: "approving",
    },
  ],
});

/** Returns the part that the actions `approve` and `reject` share. */
function answering(
  human: WireroomDashboard,
  answer: Omit<ApprovalsAnswerInput, "id" | "note">,
): Pick<Action<Approval>, "refusal" | "run" | "movesOn"> {
  return {
    refusal: ({ kind, status }) => (status === "pending" ? undefined : `This ${kind} is ${status} already.`),
    async run({ id, handle, target, kind }, { shell }, { note = "" }) {
      const input = { id, ...answer, ...(note.trim() && { note: note.trim() }) };
      const { error } = await human.approvals.answer(input);
      if (!error) return `The ${kind} of @${handle} to ${target} is ${answer.status}`;
      shell.notify(`Approved, but it could not be sent: ${error.message} (${error.code})`, "bad");
      return undefined;
    },
    movesOn: true,
  };
}
