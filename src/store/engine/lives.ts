/**
 * Stores the lives of a database. A life is a period without lost commits: a new life begins after a restore
 * or another loss of commits. In the new life, new items reuse the positions of lost ones, so each cursor
 * names its life (docs/decisions/030).
 */
import type { Life } from "../../kernel/cursor.js";
import { newSecret } from "../../kernel/ids.js";
import type { Engine, Session } from "./engine.js";
import { readMeta, writeMeta } from "./meta.js";

const NAME = "lives";

/** The first life is not included. */
async function readLives(session: Session): Promise<Life[]> {
  return JSON.parse((await readMeta(session, NAME)) ?? "[]") as Life[];
}

export async function beginLife(session: Session): Promise<Life[]> {
  const newest = await session.get<{ pk: number | null }>("SELECT max(pk) AS pk FROM wires");
  const life = { id: newSecret().slice(0, 8), lastSharedWire: newest!.pk ?? 0 };
  const lives = [...(await readLives(session)), life];
  await writeMeta(session, NAME, JSON.stringify(lives));
  return lives;
}

/**
 * A life is a period without lost commits. A restored PostgreSQL database begins a new life here. On SQLite,
 * `restore` begins it.
 */
export async function openLives(engine: Engine): Promise<Life[]> {
  const { reader } = engine;
  if (reader.engine === "sqlite" || (await isSameDatabase(reader))) return readLives(reader);
  return engine.write(async (tx) => {
    // Daemons that start together must agree.
    await tx.lock("identity_throttles", "id", ["lives"]);
    const { known, present } = await identityOf(tx);
    await tx.run(`COMMENT ON TABLE meta IS '${present}'`);
    return known === null || known === present ? readLives(tx) : beginLife(tx);
  });
}

async function isSameDatabase(session: Session): Promise<boolean> {
  const { known, present } = await identityOf(session);
  return known === present;
}

interface Identity {
  /** The identity that an earlier start stored; null at the first start. */
  known: string | null;
  present: string;
}

/**
 * The name of a WAL file begins with the timeline, in eight hexadecimal digits. The control file names the
 * new timeline only after the first checkpoint, which ends minutes after a promotion. A server in recovery
 * has no current WAL file.
 */
const TIMELINE = `CASE WHEN pg_is_in_recovery()
  THEN (SELECT lpad(upper(to_hex(timeline_id)), 8, '0') FROM pg_control_checkpoint())
  ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END`;

/**
 * At least one of these ids differs after a PostgreSQL database was restored. The known identity is stored as
 * a comment, which a dump contains but `store copy` does not copy.
 */
async function identityOf(session: Session): Promise<Identity> {
  const row = await session.get<Identity>(
    `SELECT obj_description('meta'::regclass, 'pg_class') AS known, concat_ws('/',
       (SELECT system_identifier FROM pg_control_system()), ${TIMELINE},
       (SELECT oid FROM pg_database WHERE datname = current_database()), 'meta'::regclass::oid) AS present`,
  );
  return row!;
}
