/** What has been used of the limits other than those on wires: counts over what is stored (decisions, section 4). */
import type { LimitName } from "../contract/limits.js";
import type { Session } from "./engine.js";

/** How many in the window, and when the oldest and the one that must leave first were made. */
export interface Usage {
  used: number;
  /** Time of the oldest one in the window; null with none. */
  oldestAt: number | null;
}

export type CountedLimit = Exclude<LimitName, "wires_per_minute" | "wires_per_day">;

const SOURCES: Record<CountedLimit, { table: string; subject: string }> = {
  // A knock that was held counts from when it was handed in, whether and whenever it is sent.
  knocks_per_hour: {
    table: `(SELECT k.sender, k.created_at FROM knocks k WHERE NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ref = k.id)
      UNION ALL SELECT a.handle, a.created_at FROM approvals a WHERE a.kind = 'knock') all_knocks`,
    subject: "sender",
  },
  spaces_per_hour: { table: "spaces", subject: "creator" },
  spaces_per_account: { table: "spaces", subject: "creator_account" },
  schemas_per_hour: { table: "schemas", subject: "registrar" },
};

/** @param since start of the window, milliseconds since 1970 */
export async function usageOf(
  session: Session,
  limit: CountedLimit,
  subject: number,
  since: number,
): Promise<Usage> {
  const { table, subject: column } = SOURCES[limit];
  const row = await session.get<{ used: number; oldest: number | null }>(
    `SELECT count(*) AS used, min(created_at) AS oldest FROM ${table} WHERE ${column} = ? AND created_at > ?`,
    [subject, since],
  );
  return { used: row!.used, oldestAt: row!.oldest };
}

/** Time of the one in the window that has `after` younger ones after it. */
export async function usedAt(
  session: Session,
  limit: CountedLimit,
  subject: number,
  after: number,
): Promise<number | undefined> {
  const { table, subject: column } = SOURCES[limit];
  const row = await session.get<{ created_at: number }>(
    `SELECT created_at FROM ${table} WHERE ${column} = ? ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    [subject, after],
  );
  return row?.created_at;
}
