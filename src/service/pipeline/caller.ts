/** Who calls an operation. */

/** The handle that an operation acts for: the caller, or the sender of a wire that a human has approved. */
export interface Sender {
  kind: "agent";
  pk: number;
  id: string;
  slug: string;
  account: { pk: number; id: string };
}

/** A caller that was authenticated by an API key or access token. */
export interface Agent extends Sender {
  /** SHA-256 hash of the API key or access token that authenticated this call. */
  credentialHash: string;
  /** Whether the credential is an access token. */
  isToken: boolean;
  /** Whether the credential is an access token of the human who owns the handle, and not of an agent. */
  isHuman: boolean;
}

/** The human who owns the account, authenticated by an ID token. */
export interface Human {
  kind: "human";
  account: { pk: number; id: string; email: string };
  /** The text that names the human in the store of the authorization server. */
  human: string;
  /** The grant of the sign-in whose ID token this is; undefined for one of an external provider. */
  grantId: string | undefined;
  /**
   * When the ID token expires, in milliseconds since 1970. Undefined if the human was identified without one.
   */
  expiresAtMs: number | undefined;
}

export type Caller = Sender | Human;
