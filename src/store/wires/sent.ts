/** Reads the wires that a handle has sent (docs/specification/reading.md#sent-wires). */
import type { Page } from "../../contract/page-size.js";
import type { Delivery } from "../../contract/shapes.js";
import type { Session } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "../engine/sql.js";
import { HAS_DELIVERY } from "../inbox/checkpoints.js";
import { type FloorTable, floorParameters, NOT_HIDDEN } from "../retention/floors.js";
import { readWirePage, type Shorten, type WireRow } from "./pages.js";
import { type RulesRow, type SpaceRules, toRules } from "./wires.js";

export interface SentQuery {
  sender: number;
  /** Only wires to this handle or space. */
  to?: { recipient: number } | { space: number } | undefined;
  /** Only direct messages in this state. */
  delivery?: Delivery["state"] | undefined;
  /** Includes wires in spaces that the sender can no longer read. */
  isComplete?: boolean;
  before: number | undefined;
  floors: FloorTable;
  limit: number;
  shorten: Shorten | undefined;
}

export async function sentPage(
  session: Session,
  { sender, to, delivery, isComplete = false, before, floors, limit, shorten }: SentQuery,
): Promise<Page<WireRow>> {
  const [column, target] = Object.entries(to ?? {})[0] ?? [];
  const isShown = [
    ...(column ? [`w.${column} = ?`] : []),
    ...(delivery ? [HAS_DELIVERY[delivery]] : []),
    NOT_HIDDEN[session.engine],
    ...(isComplete ? [] : [READABLE]),
  ].join(" AND ");
  const shownParameters = [...(target === undefined ? [] : [target]), ...floorParameters(floors)];
  // Wires that were held for approval are read separately, because the index by sender does not contain them
  // in sending order.
  const sql = (columns: string, count: number) => `SELECT * FROM (
      SELECT * FROM (SELECT ${columns} FROM wires w
        WHERE w.sender = ? AND (w.created_at, w.sender_no) <= (?, ?) AND w.pk < ? AND ${isShown} AND NOT ${WAS_HELD}
        ORDER BY w.created_at DESC, w.sender_no DESC LIMIT ${count}) sent_at_once
      UNION ALL
      SELECT * FROM (SELECT ${columns} FROM approvals a JOIN wires w ON w.pk = a.wire
        WHERE a.handle = ? AND a.wire < ? AND ${isShown} ORDER BY a.wire DESC LIMIT ${count}) sent_later
    ) sent ORDER BY pk DESC LIMIT ${count}`;
  const place = before === undefined ? undefined : await session.get<SentPlace>(PLACE, [before]);
  const { created_at, sender_no } = place ?? NEWEST;
  const end = before ?? Number.MAX_SAFE_INTEGER;
  const parameters = [
    ...[sender, created_at, sender_no, end, ...shownParameters],
    ...[sender, end, ...shownParameters],
  ];
  return readWirePage(session, sql, parameters, limit, shorten);
}

const READABLE = `(w.space IS NULL
  OR EXISTS (SELECT 1 FROM spaces s WHERE s.pk = w.space AND s.visibility = 'public')
  OR EXISTS (SELECT 1 FROM members m WHERE m.space = w.space AND m.handle = w.sender))`;

/** The index by sender contains these wires at the time when they were held, not when they were sent. */
const WAS_HELD = "EXISTS (SELECT 1 FROM approvals a WHERE a.ref = w.id AND a.wire IS NOT NULL)";

interface SentPlace {
  created_at: number;
  sender_no: number;
}

const PLACE = `SELECT w.created_at, w.sender_no FROM wires w WHERE w.pk = ? AND NOT ${WAS_HELD}`;
const NEWEST: SentPlace = { created_at: Number.MAX_SAFE_INTEGER, sender_no: Number.MAX_SAFE_INTEGER };

const RULES = sql`SELECT w.pk, s.root_rule, s.reply_rule, s.allow_wire_reply_rules
    FROM ${NUMBERED_INTEGERS.table("wanted")} JOIN wires w ON w.pk = wanted.value JOIN spaces s ON s.pk = w.space`;

/** Returns the rules of each wire's space, by the wire's primary key. Skips direct messages. */
export async function spaceRulesOf(
  session: Session,
  pks: readonly number[],
): Promise<Map<number, SpaceRules>> {
  const rows = await session.all<RulesRow & { pk: number }>(RULES, [numberedIntegers(pks)]);
  return new Map(rows.map((row) => [row.pk, toRules(row)]));
}
