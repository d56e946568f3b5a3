import { WireroomError } from "../../contract/errors.js";
import { HOUR, isoTime, now } from "../../kernel/clock.js";
import { sha256 } from "../../kernel/hash.js";
import { newAccessToken } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import {
  deleteIssuedToken,
  deleteOldestTokens,
  insertAccessToken,
} from "../../store/accounts/access-tokens.js";
import { signInExpiry } from "../../store/accounts/sign-ins.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { keepSignedIn } from "../pipeline/authenticate.js";
import { write } from "../pipeline/handler.js";
import { ownHandle } from "../shared/handle-by-name.js";

/**
 * Lifetime of a token that a human requests (docs/specification/dashboard-operations.md#tokens-of-a-handle).
 */
const TOKEN_TTL_MS = HOUR;
/** Maximum number of these tokens per handle. Issuing another deletes the oldest. */
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
  // This ends the token's held requests, and makes every daemon forget the token.
  tx.publish({ topic: "status", handle: pk });
  return { revoked: true };
});
