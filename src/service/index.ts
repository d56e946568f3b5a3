/** Creates the service on top of an open store. */
import type { LimitSettings } from "../contract/limits.js";
import { HOUR, MINUTE, monotonicMs, now, SECOND } from "../kernel/clock.js";
import { CursorCodec } from "../kernel/cursor.js";
import { KeyedMutex } from "../kernel/keyed-mutex.js";
import { deleteExpiredTokens } from "../store/accounts/access-tokens.js";
import { forgetFormerIdentities } from "../store/accounts/accounts.js";
import { deleteEndedConnections } from "../store/accounts/connections.js";
import { nameSentWires } from "../store/approvals/approvals.js";
import { deleteExpiredResponses } from "../store/idempotency.js";
import type { Store } from "../store/index.js";
import { deleteOldMentions } from "../store/limits/mentions.js";
import { nameBlockedAccounts } from "../store/relations.js";
import { Pace } from "../store/retention/pace.js";
import { deleteHiddenApprovals, deleteOldAuditEntries } from "../store/retention/sweep.js";
import { deleteOldWireTraces } from "../store/wires/traces.js";
import { Connections } from "./connections.js";
import { InboxPulls } from "./inbox/pulls.js";
import { Authenticator } from "./pipeline/authenticate.js";
import type { Service } from "./pipeline/context.js";
import { eraseRetired } from "./retirement.js";
import { Validators } from "./validation/index.js";
import { PredictedRules } from "./validation/predicted-rules.js";
import { SchemaDocuments } from "./validation/schema-documents.js";

export interface ServiceOptions {
  store: Store;
  limits: LimitSettings;
  sendsMails?: boolean;
  baseUrl: string;
  stopping: AbortSignal;
}

/**
 * Creates the service. `close` saves the pending times of last uses and pulls, and ends the worker threads.
 * It leaves the store open.
 */
export function createService(
  options: ServiceOptions,
): Service & { connections: Connections; close(): Promise<void> } {
  const { store } = options;
  const authenticator = new Authenticator(store);
  const validators = new Validators();
  const sweeper = setInterval(() => void sweep(options), HOUR).unref();
  const firstSweep = setTimeout(() => void sweep(options), FIRST_SWEEP_MS).unref();
  const clockWatch = watchClock(store);
  const service: Service = {
    ...options,
    sendsMails: options.sendsMails ?? false,
    authenticator,
    validators,
    documents: new SchemaDocuments(store),
    predictedRules: new PredictedRules(),
    cursors: new CursorCodec(store.cursorSecret, store.epochs),
    mutex: new KeyedMutex(),
    pulls: new InboxPulls(store.engine),
  };
  return {
    ...service,
    connections: new Connections(service),
    async close() {
      clearInterval(sweeper);
      clearTimeout(firstSweep);
      clearInterval(clockWatch);
      validators.close();
      await Promise.all([authenticator.close(), service.pulls.close()]);
    },
  };
}

/**
 * Time from start until expired rows are deleted for the first time. It is short, so that a daemon that
 * restarts often deletes them too.
 */
const FIRST_SWEEP_MS = SECOND;

const SWEEPS = [
  deleteExpiredResponses,
  deleteExpiredTokens,
  deleteEndedConnections,
  deleteOldAuditEntries,
  deleteOldWireTraces,
  deleteOldMentions,
  forgetFormerIdentities,
  nameSentWires,
  nameBlockedAccounts,
];

/** Deletes expired rows, erases rows of retired handles, and completes rows that earlier versions stored. */
async function sweep({ store, stopping }: ServiceOptions): Promise<void> {
  const { engine, floors, clockGuard, log } = store;
  try {
    // Finish deletions that an earlier process left incomplete. They do not depend on the clock.
    await eraseRetired(store, stopping);
    const at = now();
    if (!(await clockGuard.isTrusted(at))) return;
    const pace = new Pace(engine, stopping);
    for (const sweepRows of SWEEPS) {
      let limit: number;
      do limit = pace.size;
      while ((await pace.step((tx) => sweepRows(tx, at, limit))) === limit);
    }
    await deleteHiddenApprovals(engine.reader, pace, floors.retainDays, at);
  } catch (err) {
    if (!stopping.aborted)
      log.warn({ err }, "rows that have ended could not be deleted; the next try is in an hour");
  }
}

/**
 * Corrects rows whose times lie in the future because the clock was set back. Runs within a second, or as
 * soon as the clock guard trusts the new time.
 */
function watchClock({ futureRows, log }: Store): NodeJS.Timeout {
  let offsetMs = now() - monotonicMs();
  let setBackMs = 0;
  let isRunning = false;
  let retryAtMs = 0;
  const correct = async () => {
    const rows = await futureRows.correct();
    if (rows === undefined) return;
    const seconds = Math.round(setBackMs / SECOND);
    setBackMs = 0;
    if (seconds > 0) log.warn({ seconds, corrected_rows: rows }, "the clock was set back");
    else if (rows > 0) log.warn({ corrected_rows: rows }, "times in the future were corrected");
  };
  const timer = setInterval(() => {
    const lostMs = offsetMs - (now() - monotonicMs());
    offsetMs -= lostMs;
    if (lostMs >= SECOND) {
      setBackMs += lostMs;
      futureRows.isPending = true;
      retryAtMs = 0;
    }
    if (!futureRows.isPending || isRunning || monotonicMs() < retryAtMs) return;
    isRunning = true;
    correct()
      .catch((error: unknown) => {
        retryAtMs = monotonicMs() + MINUTE;
        log.error({ err: error }, "times in the future could not be corrected; the next try is in a minute");
      })
      .finally(() => {
        isRunning = false;
      });
  }, SECOND);
  return timer.unref();
}
