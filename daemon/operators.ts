/**
 * Implements `wireroom operator`: manages operators on the daemon's machine. Uses short transactions and does
 * not need the daemon's lock (docs/specification/dashboard-operations.md#operators).
 */

import { changeOperator, readOperators } from "../src/service/operator/operators.js";
import { openWithoutLock } from "../src/store/index.js";

/** Returns all operators. Throws an `Error` if the database cannot be opened. */
export function listOperators(databaseUrl: string) {
  return withDatabase(databaseUrl, readOperators);
}

/** Grants a handle the operator role. Throws NOT_FOUND for an unknown handle. */
export function grantOperator(databaseUrl: string, handle: string) {
  return withDatabase(databaseUrl, (engine) => changeOperator(engine, handle, "grant"));
}

/** Revokes a handle's operator role. Throws NOT_FOUND for an unknown handle. */
export function revokeOperator(databaseUrl: string, handle: string) {
  return withDatabase(databaseUrl, (engine) => changeOperator(engine, handle, "revoke"));
}

type Engine = Awaited<ReturnType<typeof openWithoutLock>>;

async function withDatabase<Result>(
  databaseUrl: string,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await openWithoutLock(databaseUrl);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
