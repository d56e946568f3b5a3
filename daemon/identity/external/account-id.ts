/** Account ids of humans who sign in at an external provider. */
import type { Identity } from "../verifier.js";

/**
 * Returns a human's account id. The id encodes the identity, because the daemon stores no external accounts.
 */
export function accountIdOf({ issuer, subject, email }: Identity): string {
  return Buffer.from(JSON.stringify([issuer, subject, email])).toString("base64url");
}

/** Returns the key under which the database stores data of a human who signs in at an external provider. */
export function humanKeyOf({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return JSON.stringify([issuer, subject]);
}

/** Decodes an account id that `accountIdOf` has created. Returns undefined for any other account id. */
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
