/** Reads the wires that a handle has sent (docs/specification/reading.md#sent-wires). */
import type { Page } from "../../contract/page-size.js";
import type { Session } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, perEngine } from "../engine/sql.js";
import { type FloorTable, floorParameters, notHidden } from "../retention/floors.js";
import { readWirePage, type Shorten, type WireRow } from "./pages.js";
import { type RulesRow, type SpaceRules, toRules } from "./wires.js";

export interface SentQuery {
  sender: number;
  /** Only wires to this handle or space. */
  to?: { recipient: number } | { space: number } | undefined;
  /** Whether wires in spaces that the sender can no longer read are included. */
  isComplete?: boolean;
  /** Primary key of the last wire of the previous page. */
  before: number | undefined;
  /** Wires that retention hides. */
  floors: FloorTable;
  limit: number;
  shorten: Shorten | undefined;
}

/** Returns a page of the wires that a handle has sent, newest first. */
export function sentPage(
  session: Session,
  { sender, to, isComplete = false, before, floors, limit, shorten }: SentQuery,
): Promise<Page<WireRow>> {
  const [column, target] = Object.entries(to ?? {})[0] ?? [];
  const filter = column ? `AND w.${column} = ?` : "";
  const readable = isComplete
    ? ""
    : `AND (w.space IS NULL
      OR EXISTS (SELECT 1 FROM spaces s WHERE s.pk = w.space AND s.visibility = 'public')
      OR EXISTS (SELECT 1 FROM members m WHERE m.space = w.space AND m.handle = w.sender))`;
  const sql = (columns: string) => `SELECT ${columns} FROM wires w
    WHERE w.sender = ? AND w.pk < ? ${filter} AND ${notHidden(session.engine)} ${readable} ORDER BY w.pk DESC LIMIT ?`;
  const targets = target === undefined ? [] : [target];
  return readWirePage(
    session,
    sql,
    [sender, before ?? Number.MAX_SAFE_INTEGER, ...targets, ...floorParameters(floors), limit + 1],
    limit,
    shorten,
  );
}

const RULES = perEngine(
  (engine) => `SELECT w.pk, s.root_rule, s.reply_rule, s.allow_wire_reply_rules
    FROM ${NUMBERED_INTEGERS.table(engine, "wanted")} JOIN wires w ON w.pk = wanted.value JOIN spaces s ON s.pk = w.space`,
);

/** Returns the posting rules of the spaces of wires, by the primary keys of the wires. Direct messages have none. */
export async function spaceRulesOf(
  session: Session,
  pks: readonly number[],
): Promise<Map<number, SpaceRules>> {
  const rows = await session.all<RulesRow & { pk: number }>(RULES, [numberedIntegers(pks)]);
  return new Map(rows.map((row) => [row.pk, toRules(row)]));
}
