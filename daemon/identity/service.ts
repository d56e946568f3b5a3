/** What the daemon sees of human accounts. */
import type { Middleware } from "koa";
import type { IdentityStore } from "./identity-store.js";
import type { Log } from "./log.js";
import type { IdentitySettings } from "./settings.js";
import type { Verify } from "./verifier.js";

export interface IdentityOptions {
  /** Scheme, host and port under which clients reach the daemon, such as `https://wires.example.com`. */
  publicOrigin: string;
  store: IdentityStore;
  settings: IdentitySettings;
  log: Log;
  /** Milliseconds since 1970; the system's clock by default. */
  now?: () => number;
  /** For tests: cheaper password hashes, faster reaction to a rotated key. */
  tuning?: {
    /** Binary logarithm of scrypt's N; 17 by default. */
    scryptLog2N?: number;
    /** See `IssuerKeysOptions.cooldown`, in ms. */
    keyCooldown?: number;
  };
}

/** What may be said of the provider to anyone. */
export interface IdentityDescription {
  mode: "embedded" | "external";
  issuer: string;
  /** The public client that one signs in with, which is the audience of its ID tokens. */
  clientId: string;
  /** Where the embedded provider sends confirmation codes. */
  codes?: "mail" | "log";
}

/** Human accounts: who an ID token speaks for and, unless an external provider is set, the provider that issues it. */
export interface IdentityService {
  verify: Verify;
  /** Serves `/identity` and nothing else; only with the embedded provider. To be mounted before any body parser. */
  middleware?: Middleware;
  describe(): IdentityDescription;
  /** Waits for mails under way, at most some seconds. */
  close(): Promise<void>;
}
