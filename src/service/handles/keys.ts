/** Issues and revokes API keys and access tokens of an account's handles. */
import { invalid, WireroomError } from "../../contract/errors.js";
import { HOUR, isoTime, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { KEY_DISPLAY_LENGTH, newAccessToken, newApiKey, newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import {
  deleteIssuedToken,
  deleteOldestTokens,
  insertAccessToken,
} from "../../store/accounts/access-tokens.js";
import * as apiKeys from "../../store/accounts/api-keys.js";
import { handleById } from "../../store/accounts/handles.js";
import { signInExpiry } from "../../store/accounts/sign-ins.js";
import type { Transaction } from "../../store/engine/engine.js";
import { hasLiveKeys } from "../../store/limits/counts.js";
import { ownHandle } from "../access/handles.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { keepSignedIn } from "../pipeline/authenticate.js";
import type { Context } from "../pipeline/context.js";
import { read, write } from "../pipeline/handler.js";
import { parseDateTime } from "../pipeline/input.js";
import { decodeCursor, LONG_PAGE_SIZE, toPage } from "../pipeline/pages.js";

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
    name: input.name ?? null,
    createdAt: now(),
    expiresAt,
  });
  const { account } = handle;
  logAuditEvents(ctx, tx, { account, handle: handle.pk, action: "key.issued", subject: `key:${id}` });
  return { id, key, prefix };
});

/** The handle's row must already be locked. */
async function assertMayIssueKey(
  { limits: { keys_per_handle: most } }: Context,
  tx: Transaction,
  handle: { pk: number; resource: { slug: string } },
): Promise<void> {
  if (most === null) return;
  if (most === 0) throw new WireroomError("FORBIDDEN", "this service does not allow any new keys");
  if (!(await hasLiveKeys(tx, handle.pk, now(), most))) return;
  const message = `@${handle.resource.slug} has ${most} live keys or more, the limit keys_per_handle; revoke one first`;
  throw new WireroomError("FORBIDDEN", message);
}

export const listKeys = read("keys.list", async (ctx, { cursor, limit = LONG_PAGE_SIZE }, session) => {
  const { account } = ctx.caller;
  const scope = ["keys.list", account.id];
  const before = decodeCursor(ctx, scope, cursor)?.[0] ?? Number.MAX_SAFE_INTEGER;
  const found = await apiKeys.keysOfAccount(session, account.pk, before, limit + 1);
  const { items, next_cursor } = toPage(ctx, scope, found, limit, ({ pk }) => [pk]);
  const keys = items.map(({ pk, resource }) => {
    // Prefer the time in memory, because the time in the database can be up to a minute old.
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

/**
 * Lifetime of a token that a human requests (docs/specification/dashboard-operations.md#tokens-of-a-handle).
 */
const TOKEN_TTL_MS = HOUR;
/**
 * Maximum number of access tokens that a human can request for one handle. Another request deletes the
 * oldest.
 */
const MAX_TOKENS = 60;

export const issueToken = write("handles.issueToken", async (ctx, input, tx) => {
  await tx.lock("handles", "slug", [handleSlug(input.slug)]);
  const { pk, account, suspendedAt, resource } = await ownHandle(ctx, tx, input.slug);
  if (suspendedAt !== null) {
    throw new WireroomError(
      "FORBIDDEN",
      `@${resource.slug} is suspended; an operator of this service can restore it`,
    );
  }
  await keepSignedIn(tx, ctx.caller);
  const { grantId } = ctx.caller;
  const signInEndsAt = grantId === undefined ? undefined : await signInExpiry(tx, grantId);
  // Make room for the new token, and tell every daemon to forget the deleted tokens.
  if (await deleteOldestTokens(tx, pk, MAX_TOKENS - 1)) tx.publish({ topic: "status", handle: pk });
  const createdAt = now();
  const token = newAccessToken();
  const expiresAt = Math.min(createdAt + TOKEN_TTL_MS, signInEndsAt ?? Number.POSITIVE_INFINITY);
  await insertAccessToken(tx, { hash: sha256(token), handle: pk, grantId, createdAt, expiresAt });
  logAuditEvents(ctx, tx, { account, handle: pk, action: "token.issued", subject: `@${resource.slug}` });
  return { token, expires_at: isoTime(expiresAt) };
});

/** Revokes a token of `handles.issueToken`. An unknown token is not an error (RFC 7009, section 2.2). */
export const revokeToken = write("handles.revokeToken", async (ctx, input, tx) => {
  await tx.lock("handles", "slug", [handleSlug(input.slug)]);
  const { pk } = await ownHandle(ctx, tx, input.slug);
  await deleteIssuedToken(tx, pk, sha256(input.token));
  // The event ends requests that wait with this token, and makes every daemon forget the token.
  tx.publish({ topic: "status", handle: pk });
  return { revoked: true };
});
