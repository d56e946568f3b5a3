import { WireroomError } from "../../contract/errors.js";
import { isoTime, now } from "../../kernel/clock.js";
import { connectionById, connectionsOfAccount, endConnection } from "../../store/accounts/connections.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { read, write } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";
import { connectionEvent } from "../shared/connection-event.js";

export const listConnections = read(
  "connections.list",
  async (ctx, { cursor, limit = DEFAULT_PAGE_SIZE }, session) => {
    const { account } = ctx.caller;
    const scope = ["connections.list", account.id];
    const before = decodeCursor(ctx, scope, cursor)?.[0] ?? Number.MAX_SAFE_INTEGER;
    const query = { account: account.pk, before, limit: limit + 1, at: now() };
    const found = await connectionsOfAccount(session, query);
    const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
    const connections = items.map(({ pk, resource }) => {
      // Prefer the time in memory: the database copy can be a minute old, because last-use times are saved
      // once a minute.
      const used = ctx.authenticator.connectionUses.unsaved(pk);
      return used === undefined ? resource : { ...resource, last_used_at: isoTime(used) };
    });
    return { connections, next_cursor };
  },
);

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
