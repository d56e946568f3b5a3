/**
 * The actions of the inbox. A form that was closed without sending is kept as a draft. A retry of a wire that
 * may have been sent uses the same idempotency key.
 */
import type { Wire } from "../../../sdk/src/api.js";
import { randomHexName } from "../../clock.js";
import { counted } from "../../output/units.js";
import { unless } from "../frame/key-bindings.js";
import type { Action, View } from "../list-detail/noun.js";
import { replyForm, searchForm, sendInputOf, wireForm } from "./composer.js";
import type { Inbox, Subject } from "./inbox.js";
import { countRows, type Entry } from "./items.js";

export function inboxActions(inbox: Inbox): Action<Subject>[] {
  const { client, me, threads } = inbox;
  const send = sender(inbox);
  const noKnock = ({ knock }: Subject) =>
    knock
      ? unless(knock.status === "pending", `This knock is ${knock.status} already.`)
      : "Select a knock in the list to answer it.";
  const reply = (focus: "text" | "payload") =>
    ({
      needsRow: false,
      refusal: ({ wire }) => unless(wire, "Select a wire to reply to. To write to anyone else: n"),
      form: ({ wire }) => replyForm(wire!, me, focus),
      draft: ({ wire }) => `reply ${wire!.id}`,
      run: ({ wire }, view, values) => send(view, values, wire),
    }) satisfies Partial<Action<Subject>>;
  return [
    { ...reply("text"), key: "r", label: "reply", help: "with text, a payload, or both" },
    { ...reply("payload"), key: "p", label: "reply with a payload", only: "help" },
    {
      key: "a",
      label: "accept",
      help: "a knock: both become contacts",
      refusal: noKnock,
      busy: "accepting",
      async run({ knock }) {
        inbox.update(await client.knocks.answer({ id: knock!.id, status: "accepted" }));
        return `@${knock!.from} is a contact now`;
      },
    },
    {
      key: "r",
      label: "reject",
      help: "a knock",
      refusal: noKnock,
      question: ({ knock }) => ({
        title: "Reject this knock?",
        lines: [knock!.intro, "", `@${knock!.from} cannot knock again for 7 days.`],
        yes: "reject",
      }),
      busy: "rejecting",
      async run({ knock }) {
        inbox.update(await client.knocks.answer({ id: knock!.id, status: "rejected" }));
        return "Knock rejected";
      },
    },
    {
      key: "d",
      label: ({ covered }) => (countRows(covered) > 1 ? `acknowledge ${countRows(covered)}` : "acknowledge"),
      help: "moves the inbox's checkpoint behind the selected item",
      needsRow: false,
      refusal: ({ covered, entry }) =>
        unless(
          covered.length > 0,
          entry ? "This item is acknowledged already." : "There is nothing to acknowledge.",
        ),
      question: (subject) => acknowledgeQuestion(inbox, subject),
      busy: "moving the checkpoint",
      async run({ covered }) {
        return `${counted(countRows(await inbox.acknowledge(covered)), "item")} acknowledged`;
      },
      movesOn: true,
    },
    {
      key: ["D", "delete"],
      label: "delete",
      help: "a wire of your own, for everyone",
      needsRow: false,
      refusal: ({ wire }) =>
        wire?.sender === me
          ? unless(wire.tombstone === null, "This wire is removed already.")
          : "Only a wire of your own can be deleted: select it in its thread (Tab).",
      question: ({ wire }) => ({
        title: "Delete this wire?",
        lines: [
          wire!.text_body ?? JSON.stringify(wire!.payload),
          "",
          "Its text and payload are gone for everyone.",
        ],
        yes: "delete",
      }),
      busy: "deleting",
      async run({ wire }) {
        await client.wires.delete({ id: wire!.id });
        threads.reload(wire!.id);
        return "Deleted";
      },
    },
    {
      key: "n",
      label: "new wire",
      needsRow: false,
      form: wireForm,
      draft: () => "wire",
      run: (_subject, view, values) => send(view, values, undefined),
    },
    {
      key: "s",
      label: "search a space",
      only: "help",
      needsRow: false,
      form: searchForm,
      draft: () => "search",
      async run(_subject, view, { space = "", q = "" }) {
        await threads.search(space.trim().replace(/^#/, ""), q);
        view.focus("detail");
        return undefined;
      },
    },
    {
      key: "m",
      label: "more",
      help: "the next page",
      only: "help",
      needsRow: false,
      busy: "loading more",
      async run({ isInThread }, { shell }) {
        if (inbox.thread?.next && (isInThread || !inbox.hasMorePending)) await threads.more();
        else if (inbox.hasMorePending)
          shell.notify("The inbox shows 100 pending items at once. Acknowledge some (d) to see more.");
        else shell.notify("There is nothing more.");
        return undefined;
      },
    },
    // This entry binds no key. In the help, it explains the symbols in the list.
    { key: [], shown: "● ○ ✓", label: "new; seen; acknowledged", only: "help", run: () => undefined },
  ];
}

/** Asks only if several items would be acknowledged. */
function acknowledgeQuestion({ view }: Inbox, { covered }: Subject) {
  const count = countRows(covered);
  if (count <= 1) return undefined;
  const shown = new Set((view.shown as readonly Entry[]).map(({ id }) => id));
  const hidden = count - covered.filter(({ id }) => shown.has(id)).length;
  const others = count === 2 ? "1 pending item before it is" : `${count - 1} pending items before it are`;
  return {
    title: `Acknowledge ${count} items?`,
    lines: [
      `The checkpoint moves behind the selected item, so the ${others} acknowledged too.`,
      ...(hidden > 0 ? [`The filter hides ${hidden} of them.`] : []),
    ],
    yes: `acknowledge ${count} items`,
  };
}

type Values = Readonly<Record<string, string>>;

/** Returns a function that sends a wire. */
function sender({ client, me, threads }: Inbox) {
  /**
   * The last attempt to send a wire, keyed by the wire to which it replies. If it failed, a retry uses the
   * same idempotency key, because the wire may have been sent.
   */
  const attempts = new Map<string | undefined, { content: string; idempotencyKey: string }>();
  return async ({ shell }: View, values: Values, replyTo: Wire | undefined): Promise<string | undefined> => {
    const input = sendInputOf(values, me, replyTo);
    const content = JSON.stringify(values);
    const last = attempts.get(replyTo?.id);
    const idempotencyKey = last?.content === content ? last.idempotencyKey : randomHexName();
    attempts.set(replyTo?.id, { content, idempotencyKey });
    const sent = await client.wires.send(input, { maxRetries: 1, idempotencyKey });
    attempts.delete(replyTo?.id);
    threads.reload(replyTo?.id, sent.id);
    if (sent.status === "held") {
      shell.notify(`Held: it goes to ${input.to} once your human approves it`);
      return undefined;
    }
    const accepted =
      sent.accepted_knock === undefined ? "" : ". This accepted their knock: you are contacts now.";
    return `Sent to ${input.to}${accepted}`;
  };
}
