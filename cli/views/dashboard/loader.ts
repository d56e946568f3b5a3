/**
 * Loads the panes while the dashboard is open: all panes once, then the current pane at intervals, and any
 * pane on request. A new request for a pane replaces the running request, so responses never arrive out of
 * order.
 */
import { setMaxListeners } from "node:events";
import { WireroomError } from "../../../sdk/src/index.js";
import { sleep } from "../../clock.js";
import type { AnyPane, Sources } from "./pane.js";
import { PANES } from "./panes.js";

/**
 * Error codes after which the human must sign in again. The daemon returns `FORBIDDEN` for an expired ID
 * token (docs/specification/identity.md#credentials).
 */
const SIGN_IN_ERRORS = new Set(["FORBIDDEN", "UNAUTHORIZED", "NO_CREDENTIALS", "SIGN_IN_FAILED"]);

const INTERVALS_MS = { reachable: 5_000, unreachable: 1_000 };

export interface LoaderEvents {
  loaded(pane: AnyPane, items: readonly unknown[]): void;
  failed(pane: AnyPane, error: unknown): void;
  /** Called after each request. `isReachable` is false if the daemon did not answer. */
  answered(isReachable: boolean): void;
  /** Called after the sign-in has expired. The loader has already stopped. */
  ended(error: unknown): void;
}

export class PaneLoader {
  readonly #stop = new AbortController();
  /** Running requests, by pane id. */
  readonly #requests = new Map<string, AbortController>();
  #isReachable = true;

  /** @param intervalsMs other delays, for tests */
  constructor(
    private readonly sources: Sources,
    private readonly getCurrentPane: () => AnyPane,
    private readonly events: LoaderEvents,
    private readonly intervalsMs = INTERVALS_MS,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.#stop;
    // Load the handles first, because the other panes show their slugs.
    const handlesFirst = PANES.toSorted((a, b) => Number(b.id === "handles") - Number(a.id === "handles"));
    for (const pane of handlesFirst) if (!signal.aborted) await this.reload(pane);
    while (!signal.aborted) {
      await sleep(this.#isReachable ? this.intervalsMs.reachable : this.intervalsMs.unreachable, signal);
      if (!signal.aborted) await this.reload(this.getCurrentPane());
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Aborts an earlier request for this pane, because its older response could arrive later. */
  async reload(pane: AnyPane): Promise<void> {
    this.#requests.get(pane.id)?.abort();
    const request = new AbortController();
    this.#requests.set(pane.id, request);
    const signal = AbortSignal.any([this.#stop.signal, request.signal]);
    // A pane may send one request per handle, and each adds a listener. Node would warn about the 11th.
    setMaxListeners(0, signal);
    try {
      const items = await pane.load(this.sources, signal);
      if (signal.aborted) return;
      this.events.loaded(pane, items);
      this.#answered(true);
    } catch (error) {
      if (!signal.aborted) this.#fail(pane, error);
    }
  }

  #fail(pane: AnyPane, error: unknown): void {
    if (error instanceof WireroomError) this.#answered(error.status !== undefined);
    if (error instanceof WireroomError && error.status === undefined) return;
    if (!pane.needsAgent && SIGN_IN_ERRORS.has((error as { code?: string }).code ?? "")) {
      this.stop();
      this.events.ended(error);
    } else this.events.failed(pane, error);
  }

  #answered(isReachable: boolean): void {
    this.#isReachable = isReachable;
    this.events.answered(isReachable);
  }
}
