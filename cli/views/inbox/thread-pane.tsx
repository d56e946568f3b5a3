/** Renders the pane next to the inbox list: the selected item's thread, a search result, or a knock. */
import { type ReactNode, useMemo } from "react";
import type { Knock } from "../../../sdk/src/index.js";
import { relative } from "../../output/units.js";
import { Pane } from "../frame/pane.js";
import { useNow } from "../frame/use-now.js";
import { type Line, paragraphs, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import type { Layout } from "./layout.js";
import { type InboxState, selectedEntry } from "./state.js";
import type { Thread } from "./thread.js";
import { type ContentOptions, type ThreadContent, threadContent } from "./thread-content.js";

export interface ThreadPaneProps {
  state: InboxState;
  layout: Layout;
}

export function ThreadPane({ state, layout }: ThreadPaneProps): ReactNode {
  const { thread, focus } = state;
  const item = selectedEntry(state)?.item;
  if (thread) return <ThreadView {...{ state, layout, thread }} />;
  if (item?.kind === "knock") return <KnockView {...{ state, layout }} knock={item.knock} />;
  const frame = { width: layout.threadWidth, height: layout.height, isFocused: focus === "thread" };
  return <Pane {...frame} title="Thread" lines={[[span(item ? "loading …" : "", THEME.faint)]]} />;
}

function ThreadView({ state, layout, thread }: ThreadPaneProps & { thread: Thread }): ReactNode {
  const { me, focus } = state;
  const { threadText: width, rows } = layout;
  const isFocused = focus === "thread";
  const marked = isFocused ? thread.selected : undefined;
  const { lines, count } = useContent(thread, { me, width, marked });
  const top = Math.min(thread.top, Math.max(0, count - rows));
  const below = count - top - rows;
  const aside = [
    thread.placed.length === 1 ? "1 wire" : `${thread.placed.length} wires`,
    ...(thread.next ? ["m: more"] : []),
    ...(below > 0 ? [`${below} lines below`] : []),
  ];
  return (
    <Pane
      title={thread.title}
      aside={aside.join(" · ")}
      width={layout.threadWidth}
      height={layout.height}
      isFocused={isFocused}
      lines={lines.slice(top, top + rows)}
    />
  );
}

/** Returns a thread's lines. They are memoised, because formatting a long thread is slow. */
function useContent({ placed }: Thread, { me, width, marked }: Omit<ContentOptions, "now">): ThreadContent {
  const time = useNow();
  const times = placed.map(({ wire }) => relative(wire.created_at, time)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` changes with `time` if a visible text does
  return useMemo(
    () => threadContent(placed, { me, width, now: time, marked }),
    [placed, me, width, marked, times],
  );
}

function KnockView({ state, layout, knock }: ThreadPaneProps & { knock: Knock }): ReactNode {
  const time = useNow();
  return (
    <Pane
      title="Knock"
      width={layout.threadWidth}
      height={layout.height}
      isFocused={state.focus === "thread"}
      lines={knockLines(knock, layout.threadText, time)}
    />
  );
}

function knockLines(
  { from, intro, status, created_at, decided_at }: Knock,
  width: number,
  time: number,
): Line[] {
  const decision: Line =
    status === "pending"
      ? [span("a", THEME.key), span(" accept    "), span("x", THEME.key), span(" reject")]
      : [span(`${status}${decided_at === null ? "" : `, ${relative(decided_at, time)}`}`, THEME.faint)];
  return [
    [
      span(`@${from}`, { ...THEME.name, bold: true }),
      span(" knocks", THEME.knock),
      span(`  ${relative(created_at, time)}`, THEME.faint),
    ],
    ...paragraphs([intro], width),
    [],
    decision,
  ];
}
