/**
 * `wireroom operator`: manages operators on the daemon's machine, even while the daemon is running
 * (docs/specification/dashboard-operations.md#operators). It opens the database without the daemon's lock, and runs one short
 * transaction.
 */

import { openStoreWithoutLock } from "../src/service/host/store.js";
import { changeOperator, readOperators } from "../src/service/operator/operators.js";
import { type Flags, readSettings } from "./settings.js";

/** The daemon's flags that locate its database. */
export type OperatorFlags = Pick<Flags, "dataDir" | "databaseUrl">;

/** Returns all operators. Throws an `Error` if the database cannot be opened. */
export function listOperators(flags: OperatorFlags) {
  return withDatabase(flags, readOperators);
}

/** Grants the operator role to a handle. Throws NOT_FOUND for an unknown handle. */
export function grantOperator(flags: OperatorFlags, handle: string) {
  return withDatabase(flags, (engine) => changeOperator(engine, handle, "grant"));
}

/** Revokes the operator role of a handle. Throws NOT_FOUND for an unknown handle. */
export function revokeOperator(flags: OperatorFlags, handle: string) {
  return withDatabase(flags, (engine) => changeOperator(engine, handle, "revoke"));
}

type Engine = Awaited<ReturnType<typeof openStoreWithoutLock>>;

async function withDatabase<Result>(
  flags: OperatorFlags,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await openStoreWithoutLock(readSettings(flags, process.env).databaseUrl);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
