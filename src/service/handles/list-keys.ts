import { isoTime } from "../../kernel/clock.js";
import { keysOfAccount } from "../../store/accounts/api-keys.js";
import { read } from "../pipeline/handler.js";
import { decodeCursor, LONG_PAGE_SIZE, toPage } from "../pipeline/pages.js";

export const listKeys = read("keys.list", async (ctx, { cursor, limit = LONG_PAGE_SIZE }, session) => {
  const { account } = ctx.caller;
  const scope = ["keys.list", account.id];
  const before = decodeCursor(ctx, scope, cursor)?.[0] ?? Number.MAX_SAFE_INTEGER;
  const found = await keysOfAccount(session, account.pk, before, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
  const keys = items.map(({ pk, resource }) => {
    // Prefers the time in memory, because the authenticator saves last-use times only once a minute.
    const used = ctx.authenticator.keyUses.unsaved(pk);
    return used === undefined ? resource : { ...resource, last_used_at: isoTime(used) };
  });
  return { keys, next_cursor };
});
