import { isoTime, now } from "../../../kernel/clock.js";
import { connectionsOfAccount } from "../../../store/accounts/connections.js";
import { read } from "../../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../../pipeline/pages.js";

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
      // Prefers the time in memory, because the authenticator saves last-use times only once a minute.
      const used = ctx.authenticator.connectionUses.unsaved(pk);
      return used === undefined ? resource : { ...resource, last_used_at: isoTime(used) };
    });
    return { connections, next_cursor };
  },
);
