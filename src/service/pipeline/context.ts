/** Types for the context of an operation: who calls it, and the parts of the service that it uses. */
import type { LimitSettings, LimitState } from "../../contract/limits.js";
import type { CursorCodec } from "../../kernel/cursor.js";
import type { KeyedMutex } from "../../kernel/keyed-mutex.js";
import type { HoldSignal } from "../../store/engine/notifier.js";
import type { Store } from "../../store/index.js";
import type { PredictedRules } from "../posting/predicted-rules.js";
import type { SchemaDocuments } from "../posting/schema-documents.js";
import type { Validators } from "../validation/index.js";
import type { Authenticator } from "./authenticate.js";

/**
 * The handle that an operation acts for: the caller, or the sender of a wire that a human has
 * approved.
 */
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

/** The parts of the service. The daemon creates them once. */
export interface Service {
  store: Store;
  validators: Validators;
  documents: SchemaDocuments;
  predictedRules: PredictedRules;
  authenticator: Authenticator;
  cursors: CursorCodec;
  mutex: KeyedMutex;
  limits: LimitSettings;
  /**
   * Root URL of the REST API, such as `http://127.0.0.1:4747/v1`. It is the prefix of all URIs in responses.
   */
  baseUrl: string;
  /** Aborted when the daemon begins to stop, so that long polls return at once. */
  stopping: AbortSignal;
}

/** Records the parts of a request that is traced. */
export interface RequestTrace {
  /** The context that the caller gave, if its trace is sampled. */
  readonly callerContext: string | undefined;
  /** Whether the request is recorded. Its caller or the sampler may have decided otherwise. */
  readonly isRecorded: boolean;
  /** Links the request to the traces in which the wires that it returns were sent. */
  link(contexts: readonly string[]): void;
  /**
   * @param startedMs monotonic time
   * @param endedMs monotonic time; by default now
   */
  record(
    part: "hold" | "store.wait" | "store.transaction" | "validate",
    startedMs: number,
    endedMs?: number,
  ): void;
}

/** What the service reports about a request while it runs. */
export interface RequestRecord {
  /** Time for which the request was held until something was new, in milliseconds. */
  heldMs: number;
  /** Called each time before the request is held. */
  onHold?(): void;
  /** Undefined if the request is not traced. */
  readonly trace: RequestTrace | undefined;
  /** Monotonic time at which its transaction began. Only set if the request is traced. */
  transactionAtMs?: number;
  /** The rate limits after the transaction, known while the request is still held. */
  limits?: readonly LimitState[] | undefined;
}

/** The context of one call. */
export interface Context<Who extends Caller = Caller> extends Service {
  caller: Who;
  /**
   * The request id. It also appears in the `X-Request-Id` header, in the daemon's log and in the audit log.
   */
  requestId: string;
  /** Aborted when the client disconnects or the daemon stops. */
  signal: HoldSignal;
  record: RequestRecord;
}
