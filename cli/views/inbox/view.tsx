/** The interactive inbox: the list at the left, the thread at the right, one of them on a narrow terminal. */
import { Box } from "ink";
import type { ReactNode } from "react";
import type { Knock } from "../../../sdk/src/index.js";
import { relative } from "../../output/units.js";
import { FormView, paragraphs, QuestionView } from "../kit/dialog.js";
import { Foot, HelpView } from "../kit/foot.js";
import type { ViewProps } from "../kit/full-screen.js";
import { Header } from "../kit/header.js";
import { windowStart } from "../kit/list-window.js";
import { FRAME, Pane, row } from "../kit/pane.js";
import { fitted, justified, type Line, span } from "../kit/spans.js";
import { shownLines } from "../kit/text-buffer.js";
import { THEME } from "../kit/theme.js";
import { type Entry, gistOf, senderOf, timeOf } from "./items.js";
import { ALL_KEYS, footKeys } from "./keys.js";
import { layoutOf } from "./layout.js";
import { type InboxState, selectedEntry, shownEntries } from "./state.js";
import { threadContent } from "./thread-content.js";

export function InboxView({ state, now }: ViewProps<InboxState>): ReactNode {
  const { size, focus, form, question, showsHelp, me } = state;
  const { isNarrow } = layoutOf(size);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Header view="inbox" who={`@${me}`} state={state} now={now} />
      <Box>
        {(!isNarrow || focus === "list") && <ListPane state={state} now={now} />}
        {(!isNarrow || focus === "thread") && <ReadingPane state={state} now={now} />}
      </Box>
      <Foot state={state} now={now} keys={footKeys(state)} aside={[]} />
      {form && <FormView form={form} size={size} />}
      {question && <QuestionView question={question} size={size} />}
      {showsHelp && <HelpView state={state} keys={ALL_KEYS} />}
    </Box>
  );
}

function ListPane({ state, now }: ViewProps<InboxState>): ReactNode {
  const { listWidth, height, rows } = layoutOf(state.size);
  const { filter, focus, selected, entries, hasRead } = state;
  const shown = shownEntries(state);
  const width = listWidth - FRAME.columns;
  const room = rows - (filter ? 2 : 0);
  const at = shown.findIndex(({ name }) => name === selected);
  const first = windowStart(Math.max(0, at), shown.length, room, state.first);
  const isFocused = focus === "list";
  const lines = shown
    .slice(first, first + room)
    .map((entry) => row(entryLine(entry, width - 1, now), width, entry.name === selected, isFocused));
  const none = !hasRead
    ? ""
    : entries.length > 0
      ? "Nothing matches."
      : "Nothing new. What arrives is shown here.";
  return (
    <Pane
      title="Inbox"
      aside={countOf(entries, shown.length - first - room)}
      width={listWidth}
      height={height}
      focused={isFocused}
      lines={[...filterLines(state, width), ...(lines.length > 0 ? lines : [[span(none, THEME.faint)]])]}
    />
  );
}

function countOf(entries: readonly Entry[], below: number): string {
  const pending = entries.filter(({ isDealtWith }) => !isDealtWith).length;
  const parts = [`${pending} pending`, ...(below > 0 ? [`${below} below`] : [])];
  return entries.length === 0 ? "" : parts.join(" · ");
}

function filterLines({ filter, isFiltering }: InboxState, width: number): Line[] {
  if (!filter) return [];
  const [line = { before: "", after: "" }] = shownLines(filter, width - 2, 1);
  const caret = isFiltering ? [span(line.under ?? " ", { inverse: true })] : [span(line.under ?? "")];
  return [[span("/ ", THEME.key), span(line.before), ...caret, span(line.after)], []];
}

/** Columns of the list: mark, who, what, when. */
const WHO = 14;
const WHEN = 8;

function entryLine(entry: Entry, width: number, now: number): Line {
  const { item, isNew, isDealtWith } = entry;
  const sender = senderOf(item);
  const faint = isDealtWith ? THEME.faint : {};
  const mark = isDealtWith
    ? span("✓ ", THEME.faint)
    : isNew
      ? span("● ", THEME.fresh)
      : span("○ ", THEME.faint);
  const who =
    sender === undefined
      ? span("removed", THEME.faint)
      : span(`@${sender}`, isDealtWith ? THEME.faint : THEME.name);
  const time = span(relative(timeOf(item), now).replace(/ ago$/, "").padStart(WHEN), THEME.faint);
  const what: Line = [
    ...(item.kind === "knock" ? [span("knock ", isDealtWith ? THEME.faint : THEME.knock)] : []),
    ...(item.kind === "knock" && item.knock.status !== "pending"
      ? [span(`${item.knock.status} `, THEME.faint)]
      : []),
    span(
      gistOf(item),
      item.kind === "tombstone_notice" ? THEME.faint : isNew && !isDealtWith ? THEME.title : faint,
    ),
  ];
  return justified([mark, ...fitted([who], WHO), span(" "), ...what], [time], width);
}

function ReadingPane({ state, now }: ViewProps<InboxState>): ReactNode {
  const { threadWidth, height, rows, threadText } = layoutOf(state.size);
  const { thread, focus, me } = state;
  const isFocused = focus === "thread";
  const item = selectedEntry(state)?.item;
  const frame = { width: threadWidth, height, focused: isFocused };
  if (thread) {
    const marked = isFocused ? thread.selected : undefined;
    const { lines, count } = threadContent(thread.placed, { me, width: threadText, now, marked });
    const top = Math.min(thread.top, Math.max(0, count - rows));
    const below = count - top - rows;
    const wires = thread.placed.length === 1 ? "1 wire" : `${thread.placed.length} wires`;
    const aside = [
      wires,
      ...(thread.next ? ["m: more"] : []),
      ...(below > 0 ? [`${below} lines below`] : []),
    ];
    return (
      <Pane {...frame} title={thread.title} aside={aside.join(" · ")} lines={lines.slice(top, top + rows)} />
    );
  }
  if (item?.kind === "knock")
    return <Pane {...frame} title="Knock" lines={knockLines(item.knock, threadText, now)} />;
  return <Pane {...frame} title="Thread" lines={[[span(item ? "loading …" : "", THEME.faint)]]} />;
}

function knockLines(knock: Knock, width: number, now: number): Line[] {
  const { from, intro, status, created_at, decided_at } = knock;
  const answer: Line =
    status === "pending"
      ? [span("a", THEME.key), span(" accept    "), span("x", THEME.key), span(" reject")]
      : [span(`${status}${decided_at === null ? "" : `, ${relative(decided_at, now)}`}`, THEME.faint)];
  return [
    [
      span(`@${from}`, { ...THEME.name, bold: true }),
      span(" knocks", THEME.knock),
      span(`  ${relative(created_at, now)}`, THEME.faint),
    ],
    ...paragraphs([intro], width),
    [],
    answer,
  ];
}
