import type { Account } from "oidc-provider";
import type { User } from "../../../../src/store/accounts/identity.js";

/** The claim of an ID token that names the grant of its sign-in, so that the token ends with it. */
export const GRANT_CLAIM = "grant_id";

/**
 * Converts a user to an account of oidc-provider. Every user has confirmed the address.
 * @param grantId the grant for which tokens are issued, if it is known
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
 * Returns the version of the user's password, as the property `acr` of sessions, codes and refresh tokens,
 * which oidc-provider copies from each to the next. Absent for a first password.
 */
export function acrOf({ version }: User): string | undefined {
  return version === 0 ? undefined : String(version);
}

/** Returns the version in a session, code or refresh token, as {@link acrOf} has stored it. */
export function versionOf(acr: unknown): number {
  return Number(acr ?? 0);
}
