import type { Account } from "oidc-provider";
import type { User } from "../identity-store.js";

/** A user as the provider sees it. There are no unconfirmed users, so the address is always verified. */
export function accountOf({ id, email }: User): Account {
  return { accountId: id, claims: () => ({ sub: id, email, email_verified: true }) };
}
