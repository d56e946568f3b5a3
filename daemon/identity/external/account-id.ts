/** Account ids of humans who sign in at an external provider. */
import type { Identity } from "../verifier.js";

/** Returns a human's account id. It encodes the identity, because the daemon stores no external accounts. */
export function accountIdOf({ issuer, subject, email }: Identity): string {
  return Buffer.from(JSON.stringify([issuer, subject, email])).toString("base64url");
}

export function humanKeyOf({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return JSON.stringify([issuer, subject]);
}

/** Returns the identity encoded in an account id. Returns undefined if the id has another format. */
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
