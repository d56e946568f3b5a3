/**
 * Types that the identity module provides to the rest of the daemon, and the context that its own modules
 * share.
 */
import type { Middleware } from "koa";
import type { Connections } from "../../src/service/connections.js";
import type { IdentityStore } from "../../src/store/accounts/identity.js";
import type { SourceOf } from "../http/source.js";
import type { Log } from "./log.js";
import type { IdentitySettings } from "./settings.js";
import type { SourceThrottle } from "./throttle/source-throttle.js";
import type { Verify } from "./verifier.js";

/** Local servers that replace internet servers in tests. */
export interface TestServers {
  /** The servers' certificate authority, as PEM. */
  ca: string;
  /** The IP address for each host name. */
  addresses: Record<string, string>;
}

export interface IdentityOptions {
  publicOrigin: string;
  store: IdentityStore;
  connections: Connections;
  settings: IdentitySettings;
  log: Log;
  sourceOf: SourceOf;
  /** The secret in the data folder that lets its reader sign in. Absent if local sign-ins are turned off. */
  localSecret?: string | undefined;
  /** Milliseconds since 1970. The default is the system clock. */
  now?: () => number;
  /** Overrides for tests. */
  tuning?: {
    /** Binary logarithm of scrypt's N. The default is 17. */
    scryptLog2N?: number;
    /** Poll interval in milliseconds. The default is 5,000. */
    mailPollMs?: number;
    /** See `IssuerKeysOptions.cooldown`. */
    keyCooldown?: number;
    testServers?: TestServers;
  };
}

export interface IdentityContext extends IdentityOptions {
  now: () => number;
  throttle: SourceThrottle;
  /** HMAC key for codes, forms and sign-ins. */
  hmacKey: string;
}

export interface IdentityDescription {
  mode: "embedded" | "external";
  issuer: string;
  /** OAuth client id for sign-ins, and audience of the ID tokens. */
  clientId: string;
  authorizationServer?: string;
  codes?: "mail" | "log";
}

/** Verifies ID tokens. If the daemon runs an authorization server, also issues tokens. */
export interface IdentityService {
  verify: Verify;
  /** Serves every path under `/identity`. Must run before any body parser. */
  middleware?: Middleware;
  describe(): IdentityDescription;
  /** Waits up to 3 s for mails that are being sent. */
  close(): Promise<void>;
}
