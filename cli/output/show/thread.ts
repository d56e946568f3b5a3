/** Formats a thread: each reply is indented below its parent. */
import type { Wire } from "../../../sdk/src/api.js";
import { type BlockFormatter, wireLines } from "./wire.js";

export interface Placed {
  wire: Wire;
  /** Depth in the thread. 0 for the root, and for replies whose parent is not in the list. */
  depth: number;
}

/** Sorts wires so that each reply follows its parent. Replies to the same wire keep their order. */
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

const MAX_INDENT_DEPTH = 8;

export function threadLines(wires: readonly Wire[], format: BlockFormatter): string[] {
  return threadTree(wires).flatMap(({ wire, depth }, index) => [
    ...(index === 0 ? [] : [""]),
    ...wireLines(wire, format, "  ".repeat(Math.min(depth, MAX_INDENT_DEPTH))),
  ]);
}
