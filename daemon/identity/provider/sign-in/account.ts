import type { Account } from "oidc-provider";
import type { User } from "../../../../src/store/accounts/identity.js";

/** The ID token claim that names the sign-in's grant. When the sign-in ends, the token becomes invalid. */
export const GRANT_CLAIM = "grant_id";

/**
 * Converts a user to an oidc-provider account. The e-mail address is verified, because a user is stored only
 * after confirming it.
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
 * Returns the user's password version, or undefined for the first password. Sessions, codes and refresh
 * tokens contain it as `acr`, which oidc-provider copies from each to the next.
 */
export function acrOf({ version }: User): string | undefined {
  return version === 0 ? undefined : String(version);
}

/** Returns the version that {@link acrOf} stored in a session, code or refresh token. */
export function versionOf(acr: unknown): number {
  return Number(acr ?? 0);
}
