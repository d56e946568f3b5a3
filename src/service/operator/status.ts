/** Tells operators the state of the daemon (docs/specification/dashboard-operations.md#status). */
import { CONTRACT_VERSION } from "../../contract/index.js";
import { DAY, isoTime, now, uptimeMs } from "../../kernel/clock.js";
import { waitingMails } from "../../store/accounts/identity-mails.js";
import { busiestHandles } from "../../store/accounts/operators.js";
import { schemaVersion } from "../../store/engine/meta.js";
import { assertOperator } from "../access/handles.js";
import { read } from "../pipeline/handler.js";
import { withUsage } from "./handles.js";

export const getStatus = read("operator.getStatus", async (ctx, _input, session) => {
  await assertOperator(ctx, session);
  const { engine, notifier, statistics } = ctx.store;
  const { databaseBytes, walBytes = 0 } = statistics;
  const handles = await withUsage(session, await busiestHandles(session, now() - DAY));
  return {
    version: CONTRACT_VERSION,
    started_at: isoTime(Math.round(now() - uptimeMs())),
    database: session.engine,
    schema_version: await schemaVersion(session),
    database_bytes: databaseBytes === undefined ? null : databaseBytes + walBytes,
    writable: !engine.isWriteFailing,
    failed_requests: statistics.failedRequests,
    held_requests: notifier.size,
    waiting_mails: await waitingMails(session),
    busiest_handles: handles.sort((a, b) => b.wires_last_day - a.wires_last_day),
  };
});
