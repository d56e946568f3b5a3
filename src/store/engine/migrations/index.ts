/** All migrations, in the order of their ids. Never edit a released migration; add a new one. */
import { monotonicMs, SECOND } from "../../../kernel/clock.js";
import type { StoreLog } from "../engine.js";
import type { Sql } from "../sql.js";
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
import { wireTraces } from "./0011-wire-traces.js";
import { signIns } from "./0012-sign-ins.js";
import { reasons } from "./0013-reasons.js";
import { sentApprovals } from "./0014-sent-approvals.js";
import { senderIndex } from "./0015-sender-index.js";
import { formerSenderIndexes } from "./0016-former-sender-indexes.js";
import { mailTurns } from "./0017-mail-turns.js";
import { accountHandles } from "./0018-account-handles.js";
import { liveKeys } from "./0019-live-keys.js";
import { accountBlocks } from "./0020-account-blocks.js";
import { departures } from "./0021-departures.js";
import { accountSuspension } from "./0022-account-suspension.js";
import { publish } from "./0023-publish.js";
import { dmThreadIndexes } from "./0024-dm-thread-indexes.js";
import { auditActionIndexes } from "./0025-audit-action-indexes.js";
import { statusIndexes } from "./0026-status-indexes.js";
import { wireTokens } from "./0027-wire-tokens.js";
import { entityTokens } from "./0028-entity-tokens.js";

export interface Migration {
  id: number;
  name: string;
  /**
   * The statements. Each is either SQLite DDL, which `postgres/ddl.ts` translates for PostgreSQL, or one text
   * per engine.
   */
  sql: readonly Sql[];
  /**
   * Set this on a migration that removes part of the schema: to the id of the migration that made this part
   * unnecessary. Daemons that do not know that migration then refuse to start. Without this value, daemons of
   * the previous version keep running (CONTRIBUTING.md).
   */
  needs?: number;
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
  wireTraces,
  signIns,
  reasons,
  sentApprovals,
  senderIndex,
  formerSenderIndexes,
  mailTurns,
  accountHandles,
  liveKeys,
  accountBlocks,
  departures,
  accountSuspension,
  publish,
  dmThreadIndexes,
  auditActionIndexes,
  statusIndexes,
  wireTokens,
  entityTokens,
];

/**
 * Logs that the migrations `pending` were applied to an existing database. A new one is not worth a line.
 * @param note what follows for the operator
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
