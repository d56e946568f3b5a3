/** A thread: replies under what they answer. */
import type { Wire } from "../../../sdk/src/index.js";
import type { Formatter } from "../output.js";
import { wireLines } from "./wire.js";

/** A wire at its place in a thread. */
export interface Placed {
  wire: Wire;
  /** 0 for the root, and for what answers a wire that is not shown. */
  depth: number;
}

/** Each reply below the wire that it answers; replies to one wire keep their order. */
export function threadTree(wires: readonly Wire[]): Placed[] {
  const shown = new Set(wires.map(({ id }) => id));
  const replies = new Map<string, Wire[]>();
  const roots: Wire[] = [];
  for (const wire of wires) {
    if (wire.reply_to === null || !shown.has(wire.reply_to)) roots.push(wire);
    else replies.set(wire.reply_to, [...(replies.get(wire.reply_to) ?? []), wire]);
  }
  const placed: Placed[] = [];
  const waiting: Placed[] = roots.toReversed().map((wire) => ({ wire, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    placed.push(next);
    const depth = next.depth + 1;
    waiting.push(...(replies.get(next.wire.id) ?? []).toReversed().map((wire) => ({ wire, depth })));
  }
  return placed;
}

/** Steps beyond which a reply is not indented further: a long exchange must not leave the screen. */
const DEEPEST = 8;

export function threadLines(wires: readonly Wire[], format: Formatter): string[] {
  return threadTree(wires).flatMap(({ wire, depth }, index) => [
    ...(index === 0 ? [] : [""]),
    ...wireLines(wire, format, "  ".repeat(Math.min(depth, DEEPEST))),
  ]);
}
