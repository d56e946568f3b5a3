/** All migrations, in the order of their ids. Never edit a released migration; add a new one. */
import { monotonicMs, SECOND } from "../../../kernel/clock.js";
import type { StoreLog } from "../engine.js";
import type { EngineName } from "../sql.js";
import { initial } from "./0001-initial.js";
import { identity } from "./0002-identity.js";
import { audit } from "./0003-audit.js";
import { egress } from "./0004-egress.js";
import { names } from "./0005-names.js";
import { newWires } from "./0006-new-wires.js";
import { accountRequests } from "./0007-account-requests.js";
import { connections } from "./0008-connections.js";
import { delivery } from "./0009-delivery.js";
import { retention } from "./0010-retention.js";
import { laterMigrations } from "./later.js";

export interface Migration {
  id: number;
  name: string;
  /**
   * The statements. Each is either SQLite DDL, which `postgres/migrate.ts` translates for PostgreSQL, or one
   * text per engine. An engine without a text has nothing to do.
   */
  sql: readonly (string | Readonly<Partial<Record<EngineName, string>>>)[];
  /**
   * Set this on a migration that removes part of the schema: to the id of the migration that made this part
   * unnecessary. Daemons that do not know that migration then refuse to start. Without this value, daemons of
   * the previous version keep running (CONTRIBUTING.md).
   */
  needs?: number;
}

/** Returns the statements of a migration that SQLite runs. */
export function sqliteStatements({ sql }: Migration): string[] {
  return sql.flatMap((part) => (typeof part === "string" ? part : (part.sqlite ?? [])));
}

export const migrations: readonly Migration[] = [
  initial,
  identity,
  audit,
  egress,
  names,
  newWires,
  accountRequests,
  connections,
  delivery,
  retention,
  ...laterMigrations,
];

/**
 * Logs that the migrations `pending` were applied to an existing database. Logs nothing for a new one.
 * @param note text to append to the message
 */
export function logMigrations(
  log: StoreLog,
  pending: readonly Migration[],
  startMs: number,
  note = "",
): void {
  const from = (pending[0]?.id ?? 1) - 1;
  if (from === 0) return;
  const to = pending.at(-1)!.id;
  const seconds = ((monotonicMs() - startMs) / SECOND).toFixed(1);
  log.warn({ from, to }, `migrated from schema ${from} to ${to} in ${seconds} s${note}`);
}
