import type { Account } from "oidc-provider";
import type { User } from "../../../../src/store/accounts/identity.js";

/** The ID token claim for the sign-in's grant. It makes the token invalid when the sign-in ends. */
export const GRANT_CLAIM = "grant_id";

/**
 * Converts a user to an oidc-provider account. Every user has confirmed their address.
 * @param grantId the grant for which tokens are issued, if known
 */
export function accountOf({ id, email }: Pick<User, "id" | "email">, grantId?: string): Account {
  return {
    accountId: id,
    claims: () => ({
      ...{ sub: id, email, email_verified: true },
      ...(grantId !== undefined && { [GRANT_CLAIM]: grantId }),
    }),
  };
}

/**
 * Returns the version of the user's password. It is the property `acr` of sessions, codes and refresh tokens,
 * which oidc-provider copies from each to the next. Undefined for a user's first password.
 */
export function acrOf({ version }: User): string | undefined {
  return version === 0 ? undefined : String(version);
}

/** Returns the version that {@link acrOf} stored in a session, code or refresh token. */
export function versionOf(acr: unknown): number {
  return Number(acr ?? 0);
}
