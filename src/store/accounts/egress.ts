/** Egress policies: facts for the rule in domain/egress.ts, and what humans set (decisions, section 9). */
import type { EgressPolicy } from "../../contract/operations/egress.js";
import type { Session, Transaction } from "../engine/engine.js";
import { RowsOf, written } from "../engine/sql.js";

/** A handle's policy towards one target; null where it has none, which is `open`. */
export type StoredEgress = { mode: EgressPolicy["mode"]; isAllowed: boolean; isDenied: boolean } | null;

interface EgressRow {
  mode: EgressPolicy["mode"];
  is_allowed: number;
  is_denied: number;
}

/** Columns of a row `e` of egress_policies, towards a target. @param target SQL of `@slug` or `#slug` */
function columns(target: string): string {
  const isOn = (list: string) =>
    `EXISTS (SELECT 1 FROM egress_targets g WHERE g.handle = e.handle AND g.list = '${list}' AND g.target = ${target})`;
  return `e.mode, ${isOn("allow")} AS is_allowed, ${isOn("deny")} AS is_denied`;
}

function toEgress(row: EgressRow): StoredEgress {
  return { mode: row.mode, isAllowed: row.is_allowed === 1, isDenied: row.is_denied === 1 };
}

/** The policy of a handle towards a target, `@slug` or `#slug`. */
export async function egressTowards(session: Session, handle: number, target: string): Promise<StoredEgress> {
  const row = await session.get<EgressRow>(
    `SELECT ${columns("?1")} FROM egress_policies e WHERE e.handle = ?2`,
    [target, handle],
  );
  return row ? toEgress(row) : null;
}

const POSTS = new RowsOf({ i: "integer", sender: "integer", target: "text" });
const OF_POSTS = written(
  (engine) =>
    `SELECT q.i, ${columns("q.target")} FROM ${POSTS.as(engine, "q")} JOIN egress_policies e ON e.handle = q.sender`,
);

/** The same for many posts, with one statement; a post of a sender without a policy is left out. */
export async function egressOfPosts<Post extends { sender: { pk: number }; target: string }>(
  session: Session,
  posts: readonly Post[],
): Promise<Map<Post, StoredEgress>> {
  const rows = await session.all<EgressRow & { i: number }>(OF_POSTS, [
    POSTS.bind(posts.map((post, i) => [i, post.sender.pk, post.target])),
  ]);
  return new Map(rows.map((row) => [posts[row.i]!, toEgress(row)]));
}

/** The whole policy; a handle that never had one is `open`. Lists are in alphabetical order. */
export async function egressPolicy(session: Session, handle: number): Promise<EgressPolicy> {
  const rows = await session.all<{
    mode: EgressPolicy["mode"];
    list: "allow" | "deny" | null;
    target: string;
  }>(
    `SELECT e.mode, g.list, g.target FROM egress_policies e LEFT JOIN egress_targets g ON g.handle = e.handle
     WHERE e.handle = ?`,
    [handle],
  );
  const policy: EgressPolicy = { mode: rows[0]?.mode ?? "open", allow: [], deny: [] };
  for (const { list, target } of rows) if (list !== null) policy[list].push(target);
  policy.allow.sort();
  policy.deny.sort();
  return policy;
}

const TARGETS = new RowsOf({ handle: "integer", list: "text", target: "text" });
const INSERT_TARGETS = written(
  (engine) =>
    `INSERT INTO egress_targets (handle, list, target) SELECT handle, list, target FROM ${TARGETS.as(engine, "targets")}`,
);

/** Sets what is given of a policy; a list replaces the one before. */
export async function saveEgress(
  tx: Transaction,
  handle: number,
  { mode, ...lists }: Partial<EgressPolicy>,
): Promise<void> {
  await tx.run("INSERT INTO egress_policies (handle, mode) VALUES (?, 'open') ON CONFLICT DO NOTHING", [
    handle,
  ]);
  if (mode) await tx.run("UPDATE egress_policies SET mode = ? WHERE handle = ?", [mode, handle]);
  for (const [list, targets] of Object.entries(lists)) {
    if (!targets) continue;
    await tx.run("DELETE FROM egress_targets WHERE handle = ? AND list = ?", [handle, list]);
    const rows = [...new Set(targets)].map((target) => [handle, list, target]);
    await tx.run(INSERT_TARGETS, [TARGETS.bind(rows)]);
  }
}
