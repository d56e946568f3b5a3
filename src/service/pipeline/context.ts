/** The context of a call: its caller, the service's components, and the request record. */
import type { LimitSettings, LimitState } from "../../contract/limits.js";
import type { CursorCodec } from "../../kernel/cursor.js";
import type { KeyedMutex } from "../../kernel/keyed-mutex.js";
import type { HoldSignal } from "../../store/engine/notifier.js";
import type { Store } from "../../store/index.js";
import type { InboxPulls } from "../inbox/pulls.js";
import type { Validators } from "../validation/index.js";
import type { PredictedRules } from "../validation/predicted-rules.js";
import type { SchemaDocuments } from "../validation/schema-documents.js";
import type { Authenticator } from "./authenticate.js";
import type { Caller } from "./caller.js";

/** Each daemon creates these components once. */
export interface Service {
  store: Store;
  validators: Validators;
  documents: SchemaDocuments;
  predictedRules: PredictedRules;
  authenticator: Authenticator;
  cursors: CursorCodec;
  mutex: KeyedMutex;
  pulls: InboxPulls;
  limits: LimitSettings;
  sendsMails: boolean;
  /** Root URL of the REST API, such as `http://127.0.0.1:4747/v1`. Every URI in a response starts with it. */
  baseUrl: string;
  /** Aborted when the daemon starts to shut down, so that long polls return at once. */
  stopping: AbortSignal;
}

export interface RequestTrace {
  /** Undefined if the caller's trace is not sampled. */
  readonly callerContext: string | undefined;
  /** Decided by the caller's trace context, or else by the sampler. */
  readonly isRecorded: boolean;
  link(contexts: readonly string[]): void;
  /**
   * Records how long one step of the request took. Times are from `monotonicMs`; `endedMs` defaults to now.
   */
  record(
    part: "hold" | "store.wait" | "store.transaction" | "validate",
    startedMs: number,
    endedMs?: number,
  ): void;
}

export interface RequestRecord {
  heldMs: number;
  onHold?(): void;
  readonly trace: RequestTrace | undefined;
  /** From `monotonicMs`. Set only if the request is traced. */
  transactionAtMs?: number;
  /** The caller's limits after the transaction. Set before the request waits for a reply. */
  limits?: readonly LimitState[] | undefined;
}

export interface Context<Who extends Caller = Caller> extends Service {
  caller: Who;
  /** Appears in the `X-Request-Id` header, the daemon's log and the audit log. */
  requestId: string;
  signal: HoldSignal;
  record: RequestRecord;
}
