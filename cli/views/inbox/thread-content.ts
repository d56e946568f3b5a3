/** Formats a thread as lines: each wire's sender, recipient, time, text, payload and notes. */
import type { Wire } from "../../../sdk/src/index.js";
import { safe } from "../../output/safe.js";
import { ruleText } from "../../output/show/rule.js";
import type { Placed } from "../../output/show/thread.js";
import { REMOVERS, UNSENT } from "../../output/show/wire.js";
import { described, wrapped } from "../../output/text.js";
import { relative } from "../../output/units.js";
import { type Line, type Span, type Style, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import type { Extent } from "./thread.js";

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
  /** Index of the highlighted wire. Undefined if the pane is not focused. */
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
    ...notes(wire).flatMap((note) => wrapped(note, width).map((line): Line => [span(line, THEME.faint)])),
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

/** Returns `you` for the active handle, and otherwise the slug with `@`. */
function nameOf(slug: string, me: string): string {
  return slug === me ? "you" : `@${slug}`;
}

function body({ text_body, payload, tombstone }: Wire, width: number, now: number): Line[] {
  if (tombstone)
    return [
      [
        span(
          `⌫ removed by ${described(REMOVERS, tombstone.removed_by)}, ${relative(tombstone.at, now)}`,
          THEME.faint,
        ),
      ],
    ];
  const text = text_body === null ? [] : wrapped(safe(text_body), width).map((line): Line => [span(line)]);
  return [...text, ...(payload === null ? [] : jsonLines(payload, width))];
}

/** Formats a payload as indented JSON, with different colours for names and values. */
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

function notes({ schema_ref, vote_count, reply_rule, status }: Wire): string[] {
  return [
    ...(status === undefined ? [] : [UNSENT[status] ?? status]),
    ...(schema_ref === null ? [] : [`schema ${safe(schema_ref)}`]),
    ...(vote_count === undefined ? [] : [vote_count === 1 ? "1 vote" : `${vote_count} votes`]),
    ...(reply_rule === null ? [] : [`replies: ${safe(ruleText(reply_rule))}`]),
  ];
}
