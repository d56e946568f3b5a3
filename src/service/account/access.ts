/** Lists and ends access to the account: the connections of clients, and the human's sign-ins. */
import { WireroomError } from "../../contract/errors.js";
import type { SignIn } from "../../contract/operations/connections.js";
import { isoTime, now } from "../../kernel/clock.js";
import { connectionById, connectionsOfAccount, endConnection } from "../../store/accounts/connections.js";
import {
  endGrant,
  endOtherSignIns,
  endSessionsOfSignIn,
  signInById,
  signInsOfHuman,
} from "../../store/accounts/sign-ins.js";
import { type AuditEvent, connectionEvent, logAuditEvents } from "../pipeline/audit.js";
import { read, write } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";

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
      // Prefer the time in memory, because the time in the database can be up to a minute old.
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

export const listSignIns = read(
  "signIns.list",
  async (ctx, { cursor, limit = DEFAULT_PAGE_SIZE }, session) => {
    const { account, human, grantId } = ctx.caller;
    const scope = ["signIns.list", account.id];
    const before = decodeCursor(ctx, scope, cursor)?.[0] ?? Number.MAX_SAFE_INTEGER;
    const found = await signInsOfHuman(session, { human, before, limit: limit + 1, at: now() });
    const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
    const sign_ins = items.map((each) => ({
      id: each.id,
      client: each.clientId as SignIn["client"],
      created_at: isoTime(each.createdAt),
      last_used_at: isoTime(each.lastUsedAt),
      current: each.grantId === grantId,
    }));
    return { sign_ins, next_cursor };
  },
);

export const endSignIn = write("signIns.end", async (ctx, { id }, tx) => {
  const { account, human } = ctx.caller;
  const signIn = await signInById(tx, id);
  if (signIn?.human !== human) throw new WireroomError("NOT_FOUND", "you have no sign-in with this id");
  if (await endGrant(tx, signIn.grantId, now())) logAuditEvents(ctx, tx, endedEvent(account.pk, id));
  await endSessionsOfSignIn(tx, signIn);
  return { id, ended: true };
});

export const endOthers = write("signIns.endOthers", async (ctx, _input, tx) => {
  const { account, human, grantId } = ctx.caller;
  const ended = await endOtherSignIns(tx, human, grantId, now());
  logAuditEvents(ctx, tx, ...ended.map((id) => endedEvent(account.pk, id)));
  return { ended: ended.length };
});

function endedEvent(account: number, id: string): AuditEvent {
  return { account, handle: null, action: "sign_in.ended", subject: `sign-in:${id}` };
}
