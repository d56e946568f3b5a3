/** The inbox of the active handle: the columns of its list, and the thread of the selected item. */
import type { InboxItem, Knock } from "../../../sdk/src/api.js";
import { monotonicMs } from "../../clock.js";
import { decisionText, itemFacts } from "../../output/show/inbox.js";
import { counted, relative } from "../../output/units.js";
import type { Session } from "../../session.js";
import { checkTerminal, runFullScreen } from "../frame/full-screen.js";
import type { Detail, DetailOptions, Noun } from "../list-detail/noun.js";
import { ListDetailView } from "../list-detail/view.js";
import { type Line, paragraphs, span, THEME } from "../styled-text/spans.js";
import { inboxActions } from "./actions.js";
import { INTERVAL_MS, Inbox, type Subject, subjectOf } from "./inbox.js";
import { countRows, type Entry, senderOf, summaryOf } from "./items.js";
import { threadPlaceOf } from "./thread-loader.js";

export async function showInbox(session: Session): Promise<void> {
  checkTerminal(session, "inbox -i", ["wireroom inbox", "wireroom inbox --follow --json --ack"]);
  const client = await session.agent();
  const { slug: me } = await client.profile.get();
  const nouns = [inboxNoun(new Inbox(client, me))];
  await runFullScreen(session, (props) => (
    <ListDetailView {...props} name="inbox" who={`@${me}`} nouns={nouns} />
  ));
}

export function inboxNoun(inbox: Inbox): Noun<Entry, Subject> {
  let selectedAtMs = 0;
  return {
    id: "inbox",
    title: "Inbox",
    emptyText: "Nothing new. What arrives is shown here.",
    detailTitle: "thread",
    load: (signal, mayWait) => inbox.load(signal, mayWait),
    intervalMs: INTERVAL_MS,
    idOf: ({ id }) => id,
    columns: [
      { title: "", text: (entry) => [mark(entry, inbox), sender(entry)], flexible: true, minWidth: 12 },
      { title: "", text: (entry) => summaryLine(entry, inbox), flexible: true, minWidth: 12 },
      {
        title: "",
        text: ({ item }, now) => relative(itemFacts(item).at, now).replace(/ ago$/, "").padStart(7),
        style: THEME.faint,
        rank: 1,
      },
    ],
    note: () => countText(inbox),
    detail: (entry, options) => detailOf(inbox, entry, options, monotonicMs() - selectedAtMs),
    subjectOf: (entry, part) => subjectOf(inbox, entry, part),
    actions: inboxActions(inbox),
    open(view) {
      inbox.view = view;
    },
    selected(entry) {
      if (entry) inbox.seen.add(entry.id);
      selectedAtMs = monotonicMs();
      inbox.threads.follow(entry?.item);
    },
    reloadDetail(entry) {
      const { thread, view, threads } = inbox;
      threads.reload(thread?.placed[view.part]?.wire.id ?? threadPlaceOf(entry?.item).wire);
    },
    close: () => inbox.threads.stop(),
  };
}

function countText({ entries, pending, hasMorePending }: Inbox): string {
  return entries.length === 0 ? "" : `${countRows(pending)}${hasMorePending ? "+" : ""} pending`;
}

/** Text in the sender column for items without a sender. */
const NAMELESS: Readonly<Partial<Record<InboxItem["kind"], string>>> = {
  tombstone_notice: "removed",
  approval_notice: "your human",
};

function sender(entry: Entry) {
  const name = senderOf(entry);
  const style = name === undefined || entry.isAcknowledged ? THEME.faint : THEME.name;
  return span(name ?? NAMELESS[entry.item.kind] ?? "", style);
}

function mark({ id, isAcknowledged }: Entry, { seen }: Inbox) {
  if (isAcknowledged) return span("✓ ", THEME.faint);
  return seen.has(id) ? span("○ ", THEME.faint) : span("● ", THEME.fresh);
}

/** Longer than any line. Further text is cut first, because escaping and measuring a long text is slow. */
const LONGEST_SUMMARY = 1_000;

function summaryLine(entry: Entry, { seen }: Inbox): Line {
  const { id, item, isAcknowledged } = entry;
  const isFaint = isAcknowledged || item.kind === "tombstone_notice";
  const style = isFaint ? THEME.faint : seen.has(id) ? {} : THEME.title;
  const summary = span(summaryOf(entry).slice(0, LONGEST_SUMMARY), style);
  if (item.kind !== "knock") return [summary];
  const { status } = item.knock;
  return [
    span("knock ", isAcknowledged ? THEME.faint : THEME.knock),
    ...(status === "pending" ? [] : [span(`${status} `, THEME.faint)]),
    summary,
  ];
}

/** Delay before `loading …` appears. Most threads load sooner, and the text would only flicker. */
const LOADING_SHOWN_AFTER_MS = 300;

function detailOf(
  inbox: Inbox,
  entry: Entry | undefined,
  options: DetailOptions,
  waitedMs: number,
): Detail | undefined {
  const { thread } = inbox;
  const { width } = options;
  if (thread) {
    const { id, title, placed, next } = thread;
    const notes = [counted(placed.length, "wire"), ...(next ? ["m: more"] : [])];
    return { id, title, notes, parts: inbox.partsOf(thread, options), isSelectable: true };
  }
  if (!entry) return { id: "", title: "Thread", parts: [] };
  const { id, item } = entry;
  if (item.kind === "knock") return { id, title: "Knock", parts: [knockLines(item.knock, options)] };
  if (item.kind === "approval_notice")
    return { id, title: "Decision", parts: [paragraphs([decisionText(item.notice)], width)] };
  const isSlow = waitedMs > LOADING_SHOWN_AFTER_MS;
  return { id, title: "Thread", parts: isSlow ? [[[span("loading …", THEME.faint)]]] : [] };
}

function knockLines(
  { from, intro, status, created_at, decided_at }: Knock,
  { width, now }: DetailOptions,
): Line[] {
  const decided = decided_at === null ? "" : `, ${relative(decided_at, now)}`;
  const decision: Line =
    status === "pending"
      ? [span("a", THEME.key), span(" accept    "), span("r", THEME.key), span(" reject")]
      : [span(`${status}${decided}`, THEME.faint)];
  return [
    [
      span(`@${from}`, { ...THEME.name, bold: true }),
      span(" knocks", THEME.knock),
      span(`  ${relative(created_at, now)}`, THEME.faint),
    ],
    ...paragraphs([intro], width),
    [],
    decision,
  ];
}
