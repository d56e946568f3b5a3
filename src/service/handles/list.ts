import { handlesOfAccount, type StoredHandle } from "../../store/accounts/handles.js";
import { read } from "../pipeline/handler.js";
import { decodeCursor, LONG_PAGE_SIZE, toPage } from "../pipeline/pages.js";

export const listHandles = read("handles.list", async (ctx, { cursor, limit = LONG_PAGE_SIZE }, session) => {
  const { account } = ctx.caller;
  const scope = ["handles.list", account.id];
  const after = decodeCursor(ctx, scope, cursor)?.[0] ?? 0;
  const found = await handlesOfAccount(session, account.pk, after, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk], sizeOf);
  return { handles: items.map(({ resource }) => resource), next_cursor };
});

function sizeOf({ resource }: StoredHandle): number {
  return Buffer.byteLength(JSON.stringify(resource));
}
