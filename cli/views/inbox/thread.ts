/** The lines of a thread or a search result. */
import type { Wire } from "../../../sdk/src/api.js";
import { safe } from "../../output/safe.js";
import { ruleText } from "../../output/show/rule.js";
import type { Placed } from "../../output/show/thread.js";
import { claimText, REMOVERS, UNSENT } from "../../output/show/wire.js";
import { described, wrapped } from "../../output/text.js";
import { counted, relative } from "../../output/units.js";
import type { DetailOptions } from "../list-detail/noun.js";
import { type Line, paragraphs, type Span, type Style, span, THEME, widthOf } from "../styled-text/spans.js";

export interface Thread {
  /** The thread's id, or the title of a search. */
  readonly id: string;
  readonly title: string;
  readonly placed: readonly Placed[];
  /** Null if all wires are loaded. */
  readonly next: string | null;
}

/** Maximum indentation depth. Deeper replies are not indented further, so that long threads stay readable. */
const DEEPEST = 6;
const INDENT = 2;

export interface ContentOptions extends DetailOptions {
  /** Slug of the active handle, shown as `you`. */
  me: string;
}

/** Returns the lines of each wire. */
export function threadParts(placed: readonly Placed[], options: ContentOptions): Line[][] {
  return placed.map((each) => wireLines(each, options));
}

function wireLines({ wire, depth }: Placed, options: ContentOptions): Line[] {
  const steps = Math.max(0, Math.min(depth, DEEPEST) - 1) * INDENT;
  // The first span leaves room for the bar beside the selected wire.
  const edge: Span[] = [span("  "), ...(depth > 0 ? [span(`${" ".repeat(steps)}│ `, THEME.faint)] : [])];
  const width = Math.max(10, options.width - widthOf(edge));
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
    ...(vote_count === undefined ? [] : [counted(vote_count, "vote")]),
    ...(claim ? [claimText(claim, (time) => relative(time, now))] : []),
    ...(reply_rule === null ? [] : [`replies: ${ruleText(reply_rule)}`]),
  ];
}
