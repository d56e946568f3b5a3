import type { Identity } from "./verifier.js";

/**
 * Connections of applications to handles, implemented in src/service. A connection belongs to a grant, which
 * is what one human has approved once for one application. All times are milliseconds since 1970.
 */
export interface Connections {
  /**
   * Returns the handles of a human, oldest first, and the one that the application was connected to last.
   * Creates the account of a new human.
   */
  choices(
    identity: Identity,
    clientId: string,
  ): Promise<{
    handles: { slug: string; displayName: string | null; isSuspended: boolean; isOperator: boolean }[];
    last: string | undefined;
  }>;
  /** Creates a handle. Throws the errors of the operation. */
  createHandle(identity: Identity, slug: string, requestId: string): Promise<void>;
  /**
   * Stores what a human has approved. Throws WireroomError if the handle is not an active one of the human.
   */
  approve(approval: {
    identity: Identity;
    slug: string;
    clientId: string;
    clientName: string;
    grantId: string;
  }): Promise<void>;
  /**
   * Stores the SHA-256 hash of an access token. Returns false if the connection has ended or does not exist.
   */
  addAccessToken(token: {
    grantId: string;
    hash: string;
    expiresAt: number;
    requestId: string;
  }): Promise<boolean>;
  /** Returns whether a call used an access token of the grant that was stored at or after a time. */
  isUsedSince(grantId: string, since: number): Promise<boolean>;
  /**
   * Returns whether the connection may be refreshed: it has not ended, neither by a revocation nor by 90 days
   * without a use.
   */
  isLive(grantId: string): Promise<boolean>;
  /** Ends the connection and its access tokens. Does nothing if it has ended or does not exist. */
  revokeByGrant(grantId: string, requestId: string): Promise<void>;
}
