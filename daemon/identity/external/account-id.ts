/** Account ids of humans who sign in at an external provider. */
import type { Identity } from "../verifier.js";

/**
 * Returns a human's account id. The id encodes the identity, because the daemon stores no external accounts.
 */
export function accountIdOf({ issuer, subject, email }: Identity): string {
  return Buffer.from(JSON.stringify([issuer, subject, email])).toString("base64url");
}

/** Returns an external human's key in the store, which never equals an embedded human's id. */
export function humanKeyOf({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return JSON.stringify([issuer, subject]);
}

/** Returns the identity that an account id encodes. Returns undefined for an embedded provider's account. */
export function identityOf(accountId: string): Identity | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(accountId, "base64url").toString());
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    const [issuer, subject, email] = parts as [string, string, string];
    return { issuer, subject, email };
  } catch {
    return undefined;
  }
}
