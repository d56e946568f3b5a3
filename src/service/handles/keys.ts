/** Issues, lists and revokes the API keys of an account's handles. */
import { invalid, WireroomError } from "../../contract/errors.js";
import { isoTime, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { KEY_DISPLAY_LENGTH, newApiKey, newId } from "../../kernel/ids.js";
import * as apiKeys from "../../store/accounts/api-keys.js";
import { handleById } from "../../store/accounts/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { keepSignedIn } from "../pipeline/authenticate.js";
import { read, write } from "../pipeline/handler.js";
import { decodeCursor, LONG_PAGE_SIZE, toPage } from "../pipeline/pages.js";
import { parseDateTime } from "../shared/date-time.js";
import { assertMayIssueKey } from "./limits.js";

export const issueKey = write("keys.issue", async (ctx, input, tx) => {
  const expiresAt = input.expires_at === undefined ? null : parseDateTime("expires_at", input.expires_at);
  if (expiresAt !== null && expiresAt <= now()) {
    throw invalid({ instancePath: "/expires_at", keyword: "expires_at", message: "must be in the future" });
  }
  await tx.lock("handles", "id", [input.handle_id]);
  const handle = await handleById(tx, input.handle_id);
  if (!handle) throw new WireroomError("NOT_FOUND", "there is no handle with this id");
  if (handle.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", `the handle ${input.handle_id} belongs to another account`);
  }
  await assertMayIssueKey(ctx, tx, handle);
  await keepSignedIn(tx, ctx.caller);
  const id = newId();
  const key = newApiKey();
  const prefix = key.slice(0, KEY_DISPLAY_LENGTH);
  await apiKeys.insertKey(tx, {
    id,
    handle: handle.pk,
    hash: sha256(key),
    prefix,
    createdAt: now(),
    expiresAt,
  });
  const { account } = handle;
  logAuditEvents(ctx, tx, { account, handle: handle.pk, action: "key.issued", subject: `key:${id}` });
  return { id, key, prefix };
});

export const listKeys = read("keys.list", async (ctx, { cursor, limit = LONG_PAGE_SIZE }, session) => {
  const { account } = ctx.caller;
  const scope = ["keys.list", account.id];
  const before = decodeCursor(ctx, scope, cursor)?.[0] ?? Number.MAX_SAFE_INTEGER;
  const found = await apiKeys.keysOfAccount(session, account.pk, before, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
  const keys = items.map(({ pk, resource }) => {
    // Prefer the time in memory: the database copy can be a minute old, because last-use times are saved once
    // a minute.
    const used = ctx.authenticator.keyUses.unsaved(pk);
    return used === undefined ? resource : { ...resource, last_used_at: isoTime(used) };
  });
  return { keys, next_cursor };
});

export const revokeKey = write("keys.revoke", async (ctx, input, tx) => {
  await tx.lock("api_keys", "id", [input.id]);
  const key = await apiKeys.keyById(tx, input.id);
  if (!key) throw new WireroomError("NOT_FOUND", "there is no key with this id");
  if (key.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", "this key belongs to another account");
  }
  if (key.revoked_at === null) {
    await apiKeys.revokeKey(tx, key.pk, now());
    const { account, handle } = key;
    logAuditEvents(ctx, tx, { account, handle, action: "key.revoked", subject: `key:${input.id}` });
  }
  tx.publish({ topic: "status", handle: key.handle });
  return { id: input.id, revoked: true };
});
