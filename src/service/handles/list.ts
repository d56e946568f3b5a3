import { MAX_PAGE_BYTES } from "../../contract/page-size.js";
import { handlesOfAccount, type StoredHandle } from "../../store/accounts/handles.js";
import { read } from "../pipeline/handler.js";
import { decodeCursor, LONG_PAGE_SIZE, toPage } from "../pipeline/pages.js";

/** Handles that are read at a time. Their inbox rules may take 4 MiB together, so no more are read than a page may hold. */
const CHUNK_LENGTH = 100;

export const listHandles = read("handles.list", async (ctx, { cursor, limit = LONG_PAGE_SIZE }, session) => {
  const { account } = ctx.caller;
  const scope = ["handles.list", account.id];
  let after = decodeCursor(ctx, scope, cursor)?.[0] ?? 0;
  const found: StoredHandle[] = [];
  let bytes = 0;
  let chunk: StoredHandle[];
  do {
    const count = Math.min(CHUNK_LENGTH, limit + 1 - found.length);
    chunk = await handlesOfAccount(session, account.pk, after, count);
    found.push(...chunk);
    bytes += chunk.reduce((sum, handle) => sum + sizeOf(handle), 0);
    after = chunk.at(-1)?.pk ?? after;
  } while (chunk.length === CHUNK_LENGTH && found.length <= limit && bytes <= MAX_PAGE_BYTES);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk], sizeOf);
  return { handles: items.map(({ resource }) => resource), next_cursor };
});

function sizeOf({ resource }: StoredHandle): number {
  return Buffer.byteLength(JSON.stringify(resource));
}
