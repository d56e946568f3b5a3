import type { Session } from "../../src/store/engine.js";

/** Number of the next wire, as `insertWires` takes it. */
export async function freePk(session: Session): Promise<number | null> {
  if (session.engine === "postgres") return null;
  const row = await session.get<{ pk: number }>("SELECT coalesce(max(pk), 0) + 1 AS pk FROM wires");
  return row!.pk;
}
