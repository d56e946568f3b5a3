/** Tells requests that wait for a wire to claim whether to try again. */
import type { BatchedRead } from "../engine/engine.js";
import { RowsParameter, sql } from "../engine/sql.js";
import { FOREVER, type OpenWiresQuery, POSTERS, UNCLAIMED } from "./claims.js";

export interface WaitingClaimer extends OpenWiresQuery {
  handle: number;
}

const SPACES = new RowsParameter({ space: "integer", floor: "integer", after: "integer", at: "integer" });
const WITH_OPEN_WIRE = sql`SELECT q.space FROM ${SPACES.materialisedTable("q")}
    WHERE EXISTS (SELECT 1 FROM wires w WHERE w.space = q.space AND w.pk > q.after AND ${UNCLAIMED})
      OR EXISTS (SELECT 1 FROM claims c JOIN wires w ON w.pk = c.wire
        WHERE c.space = q.space AND c.until < ${FOREVER} AND c.until <= q.at AND w.pk > q.floor AND w.reply_to IS NULL)`;

const MEMBERS = new RowsParameter({ i: "integer", handle: "integer", space: "integer" });
const WITHOUT_RIGHT = sql`SELECT q.i FROM ${MEMBERS.materialisedTable("q")}
    WHERE NOT EXISTS (SELECT 1 FROM ${POSTERS} WHERE m.space = q.space AND m.handle = q.handle)`;

/** Returns true if the space has an open wire or the handle may no longer claim there. */
export const claimChanges: BatchedRead<WaitingClaimer, boolean> = {
  async run(session, claimers) {
    const spaces = new Map(
      claimers.map(({ space, floor, unclaimedAfter, at }) => [space, [space, floor, unclaimedAfter, at]]),
    );
    const open = await session.all<{ space: number }>(WITH_OPEN_WIRE, [SPACES.bind([...spaces.values()])]);
    const members = claimers.map(({ handle, space }, i) => [i, handle, space]);
    const excluded = await session.all<{ i: number }>(WITHOUT_RIGHT, [MEMBERS.bind(members)]);
    const openSpaces = new Set(open.map(({ space }) => space));
    const changed = claimers.map(({ space }) => openSpaces.has(space));
    for (const { i } of excluded) changed[i] = true;
    return changed;
  },
};
