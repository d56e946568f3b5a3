/** The interface between the identity module and the rest of the daemon. */
import type { Middleware } from "koa";
import type { SourceOf } from "../http/source.js";
import type { TestServers } from "./applications/metadata-documents.js";
import type { Connections } from "./connections.js";
import type { IdentityStore } from "./identity-store.js";
import type { Log } from "./log.js";
import type { IdentitySettings } from "./settings.js";
import type { Verify } from "./verifier.js";

export interface IdentityOptions {
  /** Origin at which clients reach the daemon, such as `https://wires.example.com`. */
  publicOrigin: string;
  store: IdentityStore;
  connections: Connections;
  settings: IdentitySettings;
  log: Log;
  /** Returns the source of a request, by which sign-ins and sign-ups are throttled. */
  sourceOf: SourceOf;
  /** Returns milliseconds since 1970. The default is the system clock. */
  now?: () => number;
  /** Overrides for tests. */
  tuning?: {
    /** Binary logarithm of scrypt's N; default 17. */
    scryptLog2N?: number;
    /** Interval in milliseconds at which the queue of mails is searched; default 5,000. */
    mailPollMs?: number;
    /** See `IssuerKeysOptions.cooldown`. */
    keyCooldown?: number;
    /** See `DocumentFetchOptions`. */
    testServers?: TestServers;
  };
}

/** Public description of the identity provider. */
export interface IdentityDescription {
  mode: "embedded" | "external";
  issuer: string;
  /** OAuth client id for sign-ins. It is also the audience of the ID tokens. */
  clientId: string;
  /** Issuer of the authorization server of applications. Absent if there is none. */
  authorizationServer?: string;
  /** Where the embedded provider sends confirmation codes. */
  codes?: "mail" | "log";
}

/**
 * Verifies ID tokens. Also issues them unless an external provider is configured, and access tokens of
 * applications.
 */
export interface IdentityService {
  verify: Verify;
  /**
   * Serves all paths under `/identity`. Absent without an authorization server. Must be mounted before any
   * body parser.
   */
  middleware?: Middleware;
  describe(): IdentityDescription;
  /** Waits for unfinished mails, at most 3 s. */
  close(): Promise<void>;
}
