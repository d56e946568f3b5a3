/** Tells long polls whether to read again (docs/specification/reading.md#long-polls). */
import type { BatchedRead } from "../engine/engine.js";
import { RowsParameter, sql } from "../engine/sql.js";
import { NEW_WIRE_OF_THREAD } from "./threads.js";

export interface WaitingReader {
  handle: number;
  /** Null for a thread of direct messages. */
  space: number | null;
  /** Null for a feed. */
  thread: number | null;
  after: number;
}

const READERS = new RowsParameter({
  i: "integer",
  handle: "integer",
  space: "integer",
  thread: "integer",
  after: "integer",
});

const NEW_WIRE = {
  feed: "EXISTS (SELECT 1 FROM wires w WHERE w.space = q.space AND w.pk > q.after)",
  thread: NEW_WIRE_OF_THREAD,
};
const READABLE_SPACE = `SELECT 1 FROM spaces s WHERE s.pk = q.space AND (s.visibility = 'public'
    OR EXISTS (SELECT 1 FROM members m WHERE m.space = s.pk AND m.handle = q.handle))`;

/** Returns true for readers with a new wire, and for readers that have lost access to the space. */
function changes(newWire: string): BatchedRead<WaitingReader, boolean> {
  const select = sql`SELECT q.i FROM ${READERS.materialisedTable("q")}
      WHERE ${newWire} OR (q.space IS NOT NULL AND NOT EXISTS (${READABLE_SPACE}))`;
  return {
    async run(session, readers) {
      const rows = readers.map(({ handle, space, thread, after }, i) => [i, handle, space, thread, after]);
      const changed = readers.map(() => false);
      for (const { i } of await session.all<{ i: number }>(select, [READERS.bind(rows)])) changed[i] = true;
      return changed;
    },
  };
}

export const feedChanges = changes(NEW_WIRE.feed);
export const threadChanges = changes(NEW_WIRE.thread);
