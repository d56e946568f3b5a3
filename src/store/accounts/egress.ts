/**
 * Stores egress policies. A policy limits which targets a handle may send to, and whether it may publish
 * (docs/specification/dashboard-operations.md#egress-policies).
 */
import type { EgressPolicy } from "../../contract/operations/egress.js";
import type { EgressFacts } from "../../domain/egress.js";
import type { Session, Transaction } from "../engine/engine.js";
import { type RoundTrip, Select } from "../engine/selects.js";
import { RowsParameter, sql } from "../engine/sql.js";

interface EgressRow {
  mode: EgressPolicy["mode"];
  is_allowed: number;
  is_denied: number;
}

/**
 * Returns SQL columns that tell how an egress policy treats one target.
 * @param target SQL expression that evaluates to `@slug` or `#slug`
 */
function columns(target: string): string {
  const isOn = (list: string) =>
    `EXISTS (SELECT 1 FROM egress_targets g WHERE g.handle = e.handle AND g.list = '${list}' AND g.target = ${target})`;
  return `e.mode, ${isOn("allow")} AS is_allowed, ${isOn("deny")} AS is_denied`;
}

function toEgress(row: EgressRow): EgressFacts {
  return { mode: row.mode, isAllowed: row.is_allowed === 1, isDenied: row.is_denied === 1 };
}

/**
 * Returns how a handle's egress policy treats one target.
 * @param target `@slug` or `#slug`
 */
export async function egressFacts(session: Session, handle: number, target: string): Promise<EgressFacts> {
  const row = await session.get<EgressRow>(
    `SELECT ${columns("?1")} FROM egress_policies e WHERE e.handle = ?2`,
    [target, handle],
  );
  return row ? toEgress(row) : null;
}

const POST_TARGETS = new RowsParameter({ i: "integer", sender: "integer", target: "text" });
const SELECT_FOR_POSTS = new Select<EgressRow & { i: number }>(
  sql`SELECT q.i, ${columns("q.target")} FROM ${POST_TARGETS.table("q")} JOIN egress_policies e ON e.handle = q.sender`,
  "i, mode, is_allowed, is_denied",
);

export async function egressFactsOfPosts(
  trip: RoundTrip,
  posts: readonly { sender: { pk: number }; target: string }[],
): Promise<EgressFacts[]> {
  const facts: EgressFacts[] = posts.map(() => null);
  const wanted = POST_TARGETS.bind(posts.map((post, i) => [i, post.sender.pk, post.target]));
  for (const row of await trip.select(SELECT_FOR_POSTS, [wanted])) facts[row.i] = toEgress(row);
  return facts;
}

export async function mayPublish(session: Session, handle: number): Promise<boolean> {
  const row = await session.get<{ publish: number }>("SELECT publish FROM egress_policies WHERE handle = ?", [
    handle,
  ]);
  return row?.publish !== 0;
}

/** A handle without a policy may send to every target and publish everything. */
export async function egressPolicy(session: Session, handle: number): Promise<EgressPolicy> {
  const rows = await session.all<{
    mode: EgressPolicy["mode"];
    publish: number;
    list: "allow" | "deny" | null;
    target: string;
  }>(
    `SELECT e.mode, e.publish, g.list, g.target FROM egress_policies e LEFT JOIN egress_targets g ON g.handle = e.handle
     WHERE e.handle = ?`,
    [handle],
  );
  const { mode, publish } = rows[0] ?? { mode: "open", publish: 1 };
  const policy: EgressPolicy = { mode, allow: [], deny: [], publish: publish === 1 };
  for (const { list, target } of rows) if (list !== null) policy[list].push(target);
  policy.allow.sort();
  policy.deny.sort();
  return policy;
}

const TARGETS = new RowsParameter({ handle: "integer", list: "text", target: "text" });
const INSERT_TARGETS = sql`INSERT INTO egress_targets (handle, list, target)
  SELECT handle, list, target FROM ${TARGETS.table("targets")}`;

/** Fields that are absent keep their value. A list replaces the stored list. */
export async function updateEgressPolicy(
  tx: Transaction,
  handle: number,
  { mode, publish, ...lists }: Partial<EgressPolicy>,
): Promise<void> {
  await tx.run("INSERT INTO egress_policies (handle, mode) VALUES (?, 'open') ON CONFLICT DO NOTHING", [
    handle,
  ]);
  if (mode) await tx.run("UPDATE egress_policies SET mode = ? WHERE handle = ?", [mode, handle]);
  if (publish !== undefined)
    await tx.run("UPDATE egress_policies SET publish = ? WHERE handle = ?", [publish ? 1 : 0, handle]);
  for (const [list, targets] of Object.entries(lists)) {
    if (!targets) continue;
    await tx.run("DELETE FROM egress_targets WHERE handle = ? AND list = ?", [handle, list]);
    const rows = [...new Set(targets)].map((target) => [handle, list, target]);
    await tx.run(INSERT_TARGETS, [TARGETS.bind(rows)]);
  }
}
