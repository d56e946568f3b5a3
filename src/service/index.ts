/** Puts the service together over an opened store. */
import type { LimitSettings } from "../contract/limits.js";
import { HOUR, now } from "../kernel/clock.js";
import { CursorCodec } from "../kernel/cursor.js";
import { KeyedMutex } from "../kernel/keyed-mutex.js";
import { forgetOld } from "../store/idempotency.js";
import type { Store } from "../store/index.js";
import { Authenticator } from "./pipeline/authenticate.js";
import type { Service } from "./pipeline/context.js";
import { PredictedRules } from "./posting/predicted-rules.js";
import { SchemaDocuments } from "./posting/schema-documents.js";
import { Validators } from "./validation/index.js";

export interface ServiceOptions {
  store: Store;
  limits: LimitSettings;
  baseUrl: string;
  /** Aborted once the daemon stops. */
  stopping: AbortSignal;
}

/** The parts of the service. `close` writes down what is pending and ends its threads; the store stays open. */
export function createService(options: ServiceOptions): Service & { close(): Promise<void> } {
  const { store } = options;
  const authenticator = new Authenticator(store);
  const validators = new Validators();
  const sweeper = setInterval(() => void sweep(store).catch(() => undefined), HOUR);
  sweeper.unref();
  return {
    ...options,
    authenticator,
    validators,
    documents: new SchemaDocuments(store),
    predictedRules: new PredictedRules(),
    cursors: new CursorCodec(store.cursorSecret),
    mutex: new KeyedMutex(),
    async close() {
      clearInterval(sweeper);
      validators.close();
      await authenticator.close();
    },
  };
}

/** Rows that one transaction deletes: few enough that no request waits for it. */
const SWEEP = 1_000;

/** Forgets idempotency keys past their time. */
async function sweep(store: Store): Promise<void> {
  while ((await store.engine.write((tx) => forgetOld(tx, now(), SWEEP))) === SWEEP);
}
