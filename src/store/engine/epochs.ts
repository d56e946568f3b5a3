/**
 * Stores the epochs of a database. An epoch is a period without lost commits: a new epoch begins after a
 * restore or another loss of commits. In the new epoch, new items reuse the positions of lost ones, so each
 * cursor names its epoch (docs/decisions/030).
 */
import type { Epoch } from "../../kernel/cursor.js";
import { newSecret } from "../../kernel/ids.js";
import type { Engine, Session } from "./engine.js";
import { readMeta, writeMeta } from "./meta.js";

/** Do not change it, because databases and daemons of earlier versions use this name. */
const NAME = "lives";

/** The first epoch is not included. */
async function readEpochs(session: Session): Promise<Epoch[]> {
  return JSON.parse((await readMeta(session, NAME)) ?? "[]") as Epoch[];
}

export async function beginEpoch(session: Session): Promise<Epoch[]> {
  const newest = await session.get<{ pk: number | null }>("SELECT max(pk) AS pk FROM wires");
  const epoch = { id: newSecret().slice(0, 8), lastSharedWire: newest!.pk ?? 0 };
  const epochs = [...(await readEpochs(session)), epoch];
  await writeMeta(session, NAME, JSON.stringify(epochs));
  return epochs;
}

/**
 * Returns the epochs of the opened database. A restored PostgreSQL database begins a new one here. On SQLite,
 * `restore` begins it.
 */
export async function openEpochs(engine: Engine): Promise<Epoch[]> {
  const { reader } = engine;
  if (reader.engine === "sqlite" || (await isSameDatabase(reader))) return readEpochs(reader);
  return engine.write(async (tx) => {
    // Take turns, because daemons that start at the same time must agree on the epoch.
    await tx.lock("identity_throttles", "id", [NAME]);
    const { known, present } = await identityOf(tx);
    await tx.run(`COMMENT ON TABLE meta IS '${present}'`);
    return known === null || known === present ? readEpochs(tx) : beginEpoch(tx);
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
