/** Renders the inbox: the list on the left, the thread on the right. A narrow window shows only one. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { InboxItem, Knock, Wireroom } from "../../../sdk/src/index.js";
import { decisionText, itemFacts } from "../../output/show/inbox.js";
import { relative } from "../../output/units.js";
import type { Session } from "../../session.js";
import { checkTerminal, runFullScreen } from "../frame/full-screen.js";
import { useInterval, useNow, useStore } from "../frame/hooks.js";
import { BORDER, ListPane, Pane, type PaneProps } from "../frame/pane.js";
import { fieldLines } from "../frame/text-buffer.js";
import { ViewFrame, type ViewProps } from "../frame/view-frame.js";
import { fitted, justified, type Line, paragraphs, span, THEME } from "../styled-text/spans.js";
import { Inbox, type InboxState, type Layout, layoutOf, selectedItem, shownEntries } from "./inbox.js";
import { countRows, type Entry, senderOf, summaryOf } from "./items.js";
import { inboxKeys } from "./keys.js";
import { type ContentOptions, type Thread, type ThreadContent, threadContent } from "./thread.js";

export async function showInbox(session: Session): Promise<void> {
  checkTerminal(session, "inbox -i", ["wireroom inbox", "wireroom inbox --follow --json --ack"]);
  const client = await session.agent();
  const { slug: me } = await client.profile.get();
  await runFullScreen(session, (props) => <InboxView {...props} client={client} me={me} />);
}

interface InboxViewProps extends ViewProps {
  client: Wireroom;
  me: string;
}

function InboxView({ shell, size, client, me }: InboxViewProps): ReactNode {
  const [inbox] = useState(() => new Inbox(client, shell, me));
  useEffect(() => {
    inbox.run();
    return () => inbox.stop();
  }, [inbox]);
  const state = useStore(inbox.store);
  const { isConnected } = useStore(shell.store);
  const layout = layoutOf(shell.getSize());
  const props = { state, layout, me };
  return (
    <ViewFrame {...{ shell, size }} name="inbox" who={`@${me}`} bindings={() => inboxKeys(inbox)}>
      {(!layout.isNarrow || state.focus === "list") && (
        <InboxList {...props} hasRead={isConnected} position={inbox.position} />
      )}
      {(!layout.isNarrow || state.focus === "thread") && <ThreadPane {...props} />}
    </ViewFrame>
  );
}

interface InboxPaneProps {
  state: InboxState;
  layout: Layout;
  me: string;
}

export interface InboxListProps extends Omit<InboxPaneProps, "me"> {
  /** Whether the inbox has been read. */
  hasRead: boolean;
  position: { first: number };
}

export function InboxList({ state, layout, hasRead, position }: InboxListProps): ReactNode {
  const { filter, focus, selected, entries } = state;
  const now = useNow();
  const shown = shownEntries(state);
  const width = layout.left - BORDER.columns;
  const empty = entries.length > 0 ? "No item matches." : "Nothing new. What arrives is shown here.";
  const list = {
    count: shown.length,
    selected: shown.findIndex(({ id }) => id === selected),
    rows: layout.rows - (filter ? 2 : 0),
    position,
    linesOf: (index: number) => [entryLine(shown[index]!, width - 1, now)],
  };
  return (
    <ListPane
      title="Inbox"
      aside={countText(state)}
      width={layout.left}
      height={layout.height}
      isFocused={focus === "list"}
      list={list}
      head={filterLines(state, width)}
      empty={hasRead ? paragraphs([empty], width, THEME.faint) : []}
    />
  );
}

function countText(state: InboxState): string {
  const { entries, filter, hasMorePending } = state;
  if (filter?.value) return `${shownEntries(state).length} of ${countRows(entries)} match`;
  const pending = countRows(entries.filter(({ isAcknowledged }) => !isAcknowledged));
  return entries.length === 0 ? "" : `${pending}${hasMorePending ? "+" : ""} pending`;
}

function filterLines({ filter, isFiltering }: InboxState, width: number): Line[] {
  if (!filter) return [];
  const [line = { before: "", at: "", after: "" }] = fieldLines(filter, width - 2, 1);
  const caret = span(line.at ?? " ", isFiltering ? { inverse: true } : {});
  return [[span("/ ", THEME.key), span(line.before), caret, span(line.after)], []];
}

const WIDE = { sender: 14, time: 8 };
const NARROW = { sender: 10, time: 7 };
const NARROW_WIDTH = 48;

function entryLine(entry: Entry, width: number, now: number): Line {
  const columns = width < NARROW_WIDTH ? NARROW : WIDE;
  const time = relative(itemFacts(entry.item).at, now).replace(/ ago$/, "");
  const sender = senderOf(entry);
  const style = sender === undefined || entry.isAcknowledged ? THEME.faint : THEME.name;
  const who = fitted([span(sender ?? NAMELESS[entry.item.kind] ?? "", style)], columns.sender);
  return justified(
    [mark(entry), ...who, span(" "), ...summaryLine(entry, width)],
    [span(time.padStart(columns.time), THEME.faint)],
    width,
  );
}

/** Stands for the sender of an item that has none. */
const NAMELESS: Readonly<Partial<Record<InboxItem["kind"], string>>> = {
  tombstone_notice: "removed",
  approval_notice: "your human",
};

function mark({ isAcknowledged, isNew }: Entry) {
  if (isAcknowledged) return span("✓ ", THEME.faint);
  return isNew ? span("● ", THEME.fresh) : span("○ ", THEME.faint);
}

function summaryLine(entry: Entry, width: number): Line {
  const { item, isAcknowledged, isNew } = entry;
  const isFaint = isAcknowledged || item.kind === "tombstone_notice";
  // Cut the text to what can fit the line, because escaping and measuring a long text is slow.
  const text = summaryOf(entry).slice(0, width * 10);
  const summary = span(text, isFaint ? THEME.faint : isNew ? THEME.title : {});
  if (item.kind !== "knock") return [summary];
  const { status } = item.knock;
  return [
    span("knock ", isAcknowledged ? THEME.faint : THEME.knock),
    ...(status === "pending" ? [] : [span(`${status} `, THEME.faint)]),
    summary,
  ];
}

function ThreadPane({ state, layout, me }: InboxPaneProps): ReactNode {
  const now = useNow();
  const { thread } = state;
  const item = selectedItem(state);
  const isFocused = state.focus === "thread";
  const frame = { width: layout.right, height: layout.height, isFocused };
  const { threadText: width, rows } = layout;
  const { lines, count } = useContent(thread, {
    me,
    width,
    now,
    marked: isFocused ? thread?.selected : undefined,
  });
  if (!thread && item?.kind === "knock")
    return <Pane {...frame} title="Knock" lines={knockLines(item.knock, width, now)} />;
  if (!thread && item?.kind === "approval_notice")
    return <Pane {...frame} title="Decision" lines={paragraphs([decisionText(item.notice)], width)} />;
  if (!thread && item) return <LoadingPane {...frame} title="Thread" />;
  if (!thread) return <Pane {...frame} title="Thread" lines={[]} />;
  const top = Math.min(thread.top, Math.max(0, count - rows));
  const below = count - top - rows;
  const aside = [
    thread.placed.length === 1 ? "1 wire" : `${thread.placed.length} wires`,
    ...(thread.next ? ["m: more"] : []),
    ...(below > 0 ? [`${below} lines below`] : []),
  ];
  return (
    <Pane {...frame} title={thread.title} aside={aside.join(" · ")} lines={lines.slice(top, top + rows)} />
  );
}

/** Most threads load sooner. A text that only flickers would disturb. */
const LOADING_SHOWN_AFTER_MS = 300;

function LoadingPane(frame: Omit<PaneProps, "lines">): ReactNode {
  const isSlow = useInterval(LOADING_SHOWN_AFTER_MS) > 0;
  return <Pane {...frame} lines={[[span(isSlow ? "loading …" : "", THEME.faint)]]} />;
}

/** Memoised, because formatting a long thread is slow. */
function useContent(thread: Thread | undefined, { me, width, marked, now }: ContentOptions): ThreadContent {
  const placed = thread?.placed ?? [];
  const times = placed
    .flatMap(({ wire }) => [wire.created_at, wire.claim?.until ?? "", wire.tombstone?.at ?? ""])
    .map((time) => relative(time, now))
    .join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` changes if `now` changes a text
  return useMemo(
    () => threadContent(placed, { me, width, now, marked }),
    [thread?.placed, me, width, marked, times],
  );
}

function knockLines(
  { from, intro, status, created_at, decided_at }: Knock,
  width: number,
  now: number,
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
