import { sha256 } from "../../kernel/hash.js";
import { handleSlug } from "../../kernel/names.js";
import { deleteIssuedToken } from "../../store/accounts/access-tokens.js";
import { write } from "../pipeline/handler.js";
import { ownedHandle } from "./owned-handle.js";

/**
 * Ends a token that `handles.issueToken` has issued. As in RFC 7009, section 2.2, an unknown token is no
 * error.
 */
export const revokeToken = write("handles.revokeToken", async (ctx, input, tx) => {
  await tx.lock("handles", "slug", [handleSlug(input.slug)]);
  const { pk } = await ownedHandle(ctx, tx, input.slug);
  await deleteIssuedToken(tx, pk, sha256(input.token));
  // Held requests with the token end, and every daemon forgets it.
  tx.publish({ topic: "status", handle: pk });
  return { revoked: true };
});
