/** What every operation is given: who calls, and the parts of the service. */
import type { LimitSettings } from "../../contract/limits.js";
import type { CursorCodec } from "../../kernel/cursor.js";
import type { KeyedMutex } from "../../kernel/keyed-mutex.js";
import type { Store } from "../../store/index.js";
import type { PredictedRules } from "../posting/predicted-rules.js";
import type { SchemaDocuments } from "../posting/schema-documents.js";
import type { Validators } from "../validation/index.js";
import type { Authenticator } from "./authenticate.js";

/** A handle that acts: by its API key, or by its human's approval of what it sent before. */
export interface Sender {
  kind: "agent";
  pk: number;
  id: string;
  slug: string;
  account: { pk: number; id: string };
}

/** An agent, by its API key (specification, 5.1). */
export interface Agent extends Sender {
  /** SHA-256 of the key that it called with. */
  keyHash: string;
}

/** A human, by an identity-provider token. */
export interface Human {
  kind: "human";
  account: { pk: number; id: string; email: string };
}

export type Caller = Sender | Human;

/** The parts that live as long as the daemon. */
export interface Service {
  store: Store;
  validators: Validators;
  documents: SchemaDocuments;
  predictedRules: PredictedRules;
  authenticator: Authenticator;
  cursors: CursorCodec;
  mutex: KeyedMutex;
  limits: LimitSettings;
  /** REST root, such as `http://127.0.0.1:4747/v1`; every URI handed out begins with it. */
  baseUrl: string;
  /** Aborted once the daemon stops: held requests answer at once. */
  stopping: AbortSignal;
}

/** One call. */
export interface Context<Who extends Caller = Caller> extends Service {
  caller: Who;
  /** Id of the request, as in its `X-Request-Id`, its log line and the audit log. */
  requestId: string;
  /** Aborted when the client has gone away or the daemon stops. */
  signal: AbortSignal;
  /** Whether the answer is carried within a JSON text, too, as MCP does. */
  quoted: boolean;
}
