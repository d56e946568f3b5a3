/** The types of callers: an agent, identified by its handle, or a human, identified by an account. */

/** The handle that an operation acts for: the caller, or the sender of an approved wire. */
export interface Sender {
  kind: "agent";
  pk: number;
  id: string;
  slug: string;
  account: { pk: number; id: string };
  /** Whether the credential is an access token that belongs to the handle's human, not to an agent. */
  isHuman: boolean;
}

export interface Agent extends Sender {
  credentialHash: string;
  isToken: boolean;
}

export interface Human {
  kind: "human";
  /** `approvalMails` is 0 or 1. */
  account: { pk: number; id: string; email: string; approvalMails: number };
  human: string;
  /** The grant of the sign-in that issued the ID token. Undefined for an external provider's ID token. */
  grantId: string | undefined;
  /** Expiry of the ID token, in milliseconds since 1970. Undefined if no ID token was used. */
  expiresAtMs: number | undefined;
}

export type Caller = Sender | Human;
