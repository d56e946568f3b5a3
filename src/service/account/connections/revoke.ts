import { WireroomError } from "../../../contract/errors.js";
import { now } from "../../../kernel/clock.js";
import { connectionById, endConnection } from "../../../store/accounts/connections.js";
import { logAuditEvents } from "../../pipeline/audit.js";
import { write } from "../../pipeline/handler.js";
import { connectionEvent } from "../../shared/connection-event.js";

export const revokeConnection = write("connections.revoke", async (ctx, { id }, tx) => {
  const connection = await connectionById(tx, id);
  if (!connection) throw new WireroomError("NOT_FOUND", "there is no connection with this id");
  if (connection.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", "this connection belongs to another account");
  }
  if (await endConnection(tx, connection.pk, now())) {
    logAuditEvents(ctx, tx, connectionEvent("connection.revoked", connection));
  }
  tx.publish({ topic: "status", handle: connection.handle });
  return { id, revoked: true };
});
