/** The context of an operation: who calls it, the parts of the service that it uses, and its record. */
import type { LimitSettings, LimitState } from "../../contract/limits.js";
import type { CursorCodec } from "../../kernel/cursor.js";
import type { KeyedMutex } from "../../kernel/keyed-mutex.js";
import type { HoldSignal } from "../../store/engine/notifier.js";
import type { Store } from "../../store/index.js";
import type { Validators } from "../validation/index.js";
import type { PredictedRules } from "../validation/predicted-rules.js";
import type { SchemaDocuments } from "../validation/schema-documents.js";
import type { Authenticator } from "./authenticate.js";
import type { Caller } from "./caller.js";

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
