import type { Account } from "oidc-provider";
import type { User } from "../../../../src/store/accounts/identity.js";

/** The ID token claim that names the sign-in's grant. When the sign-in ends, the token becomes invalid. */
export const GRANT_CLAIM = "grant_id";

/**
 * Returns a user as an oidc-provider account. The e-mail address is verified, because users are stored only
 * after they confirmed it.
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
 * Returns the user's password version for the claim `acr`, or undefined for the first password. oidc-provider
 * copies `acr` from the session to the code and the refresh tokens.
 */
export function acrOf({ version }: User): string | undefined {
  return version === 0 ? undefined : String(version);
}

export function versionOf(acr: unknown): number {
  return Number(acr ?? 0);
}
