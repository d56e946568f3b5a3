/** The thread pane's content: a thread or a search result, its lines, and how keys scroll it. */
import type { Wire } from "../../../sdk/src/index.js";
import { safe } from "../../output/safe.js";
import { ruleText } from "../../output/show/rule.js";
import type { Placed } from "../../output/show/thread.js";
import { claimText, REMOVERS, UNSENT } from "../../output/show/wire.js";
import { described, wrapped } from "../../output/text.js";
import { relative } from "../../output/units.js";
import { type Line, paragraphs, type Span, type Style, span, THEME } from "../styled-text/spans.js";

export interface Thread {
  /** The thread's id, or the title of a search. */
  readonly id: string;
  readonly title: string;
  readonly placed: readonly Placed[];
  /** Null if all wires are loaded. */
  readonly next: string | null;
  /** Index of the selected wire. */
  readonly selected: number;
  /** Index of the first visible line. */
  readonly top: number;
}

/** The index of each wire's first line, and the total number of lines. */
export interface Extent {
  readonly starts: readonly number[];
  readonly count: number;
}

export interface Place {
  selected: number;
  top: number;
}

/** Scrolls until the selected wire is visible: the whole wire if it fits, otherwise its first lines. */
export function broughtIntoView({ selected, top }: Place, extent: Extent, height: number): Place {
  const start = extent.starts[selected] ?? 0;
  const end = extent.starts[selected + 1] ?? extent.count;
  if (start < top || end - start > height) return { selected, top: start };
  return { selected, top: Math.max(top, end - height) };
}

/**
 * Returns the selected wire and the scroll position after a key. Up and Down select another wire, but scroll
 * by one line within a wire that is taller than the pane.
 */
export function scrolled(place: Place, key: string, extent: Extent, height: number): Place {
  const last = Math.max(0, extent.count - height);
  const { selected, top } = place;
  const wires = extent.starts.length;
  const at = (line: number): Place => {
    const to = Math.max(0, Math.min(last, line));
    const wire = extent.starts.findLastIndex((start) => start <= to);
    return { top: to, selected: Math.max(0, wire) };
  };
  const select = (wire: number) =>
    broughtIntoView({ top, selected: Math.max(0, Math.min(wires - 1, wire)) }, extent, height);
  switch (key) {
    case "down":
    case "j": {
      const end = extent.starts[selected + 1] ?? extent.count;
      return end > top + height && top < last ? { selected, top: top + 1 } : select(selected + 1);
    }
    case "up":
    case "k":
      return (extent.starts[selected] ?? 0) < top ? { selected, top: top - 1 } : select(selected - 1);
    case "page-down":
    case " ":
      return top >= last ? select(wires - 1) : at(top + height - 1);
    case "page-up":
      return top <= 0 ? select(0) : at(top - height + 1);
    case "home":
    case "g":
      return { selected: 0, top: 0 };
    case "end":
    case "G":
      return { selected: wires - 1, top: last };
    default:
      return place;
  }
}

/** Maximum indentation depth. Deeper replies are not indented further, so that long threads stay readable. */
const DEEPEST = 6;
const INDENT = 2;

export interface ThreadContent extends Extent {
  readonly lines: readonly Line[];
}

export interface ContentOptions {
  /** Slug of the active handle, shown as `you`. */
  me: string;
  /** Width of a line in columns. */
  width: number;
  /** Current time in milliseconds since 1970. */
  now: number;
  marked?: number | undefined;
}

export function threadContent(placed: readonly Placed[], options: ContentOptions): ThreadContent {
  const lines: Line[] = [];
  const starts: number[] = [];
  for (const [index, each] of placed.entries()) {
    if (index > 0) lines.push([]);
    starts.push(lines.length);
    lines.push(...wireLines(each, index === options.marked, options));
  }
  return { lines, starts, count: lines.length };
}

function wireLines({ wire, depth }: Placed, isMarked: boolean, options: ContentOptions): Line[] {
  const steps = Math.min(depth, DEEPEST) * INDENT;
  const edge: Span[] = [
    span(" ".repeat(steps)),
    isMarked ? span("▌ ", THEME.accent) : span(depth > 0 ? "│ " : "  ", THEME.faint),
  ];
  const width = Math.max(10, options.width - steps - 2);
  return [
    head(wire, options),
    ...body(wire, width, options.now),
    ...paragraphs(notes(wire, options.now), width, THEME.faint),
  ].map((line) => [...edge, ...line]);
}

function head({ sender, recipient, space, created_at }: Wire, { me, now }: ContentOptions): Line {
  const to = space === null ? nameOf(recipient ?? "", me) : `#${space}`;
  return [
    span(nameOf(sender, me), { ...(sender === me ? THEME.own : THEME.name), bold: true }),
    span(" → ", THEME.faint),
    span(to, recipient === me ? THEME.own : THEME.name),
    span(`  ${relative(created_at, now)}`, THEME.faint),
  ];
}

function nameOf(slug: string, me: string): string {
  return slug === me ? "you" : `@${slug}`;
}

function body({ text_body, payload, tombstone }: Wire, width: number, now: number): Line[] {
  if (tombstone) {
    const { removed_by, at } = tombstone;
    return [[span(`⌫ removed by ${described(REMOVERS, removed_by)}, ${relative(at, now)}`, THEME.faint)]];
  }
  const text = text_body === null ? [] : paragraphs([text_body], width);
  return [...text, ...(payload === null ? [] : jsonLines(payload, width))];
}

function jsonLines(value: unknown, width: number): Line[] {
  return safe(JSON.stringify(value, null, 2))
    .split("\n")
    .flatMap((line) => {
      const [, space = "", name = "", rest = line] = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(line) ?? [];
      const shown = wrapped(space + name + rest, width);
      if (shown.length > 1) return shown.map((part): Line => [span(part, THEME.json)]);
      return [[span(space), span(name, THEME.json), span(rest, valueStyle(rest))]];
    });
}

function valueStyle(value: string): Style {
  if (value.startsWith('"')) return THEME.good;
  return /^[\d-]|^(true|false|null)/.test(value) ? THEME.warning : {};
}

function notes({ schema_ref, vote_count, claim, reply_rule, status }: Wire, now: number): string[] {
  return [
    ...(status === undefined ? [] : [UNSENT[status] ?? status]),
    ...(schema_ref === null ? [] : [`schema ${schema_ref}`]),
    ...(vote_count === undefined ? [] : [vote_count === 1 ? "1 vote" : `${vote_count} votes`]),
    ...(claim ? [claimText(claim, (time) => relative(time, now))] : []),
    ...(reply_rule === null ? [] : [`replies: ${ruleText(reply_rule)}`]),
  ];
}
