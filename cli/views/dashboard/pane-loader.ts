/** Loads the panes of the dashboard while it is open. */
import { useEffect, useState } from "react";
import { WireroomError } from "../../../sdk/src/index.js";
import { sleep } from "../../clock.js";
import type { AnyPane, Sources } from "./pane-definition.js";
import { PANES } from "./panes.js";

/**
 * Codes of errors after which the human must sign in again. The daemon answers `FORBIDDEN` to an ID token
 * that has expired (docs/specification/identity.md#credentials).
 */
const SIGN_IN_ERRORS = new Set(["FORBIDDEN", "UNAUTHORIZED", "NO_CREDENTIALS", "SIGN_IN_FAILED"]);

/** Delays between two loads of the current pane, while the daemon answers and while it does not. */
const INTERVALS_MS = { reachable: 5_000, unreachable: 1_000 };

export interface PaneLoaderEvents {
  loaded(pane: AnyPane, items: readonly unknown[]): void;
  failed(pane: AnyPane, error: unknown): void;
  /** Called when the daemon has answered. */
  reachable(): void;
  /** Called when the daemon does not answer. The loader tries again. */
  unreachable(): void;
  /** Called when the sign-in of the human is no longer valid. The loader has stopped. */
  ended(error: unknown): void;
}

export interface PaneLoaderOptions {
  readonly sources: Sources;
  readonly events: PaneLoaderEvents;
  getCurrentPane(): AnyPane;
  /** Other delays, for tests. */
  readonly intervalsMs?: typeof INTERVALS_MS;
}

export class PaneLoader {
  readonly #stop = new AbortController();
  /** Running requests, by the id of the pane that they load. */
  readonly #requests = new Map<string, AbortController>();
  #isReachable = true;

  constructor(private readonly options: PaneLoaderOptions) {}

  /** Loads all panes once, and then the current pane at intervals until `stop` is called. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    const { getCurrentPane, intervalsMs = INTERVALS_MS } = this.options;
    // Loads the handles first, because the other panes show their slugs.
    const handlesFirst = PANES.toSorted((a, b) => Number(b.id === "handles") - Number(a.id === "handles"));
    for (const pane of handlesFirst) if (!signal.aborted) await this.reload(pane);
    while (!signal.aborted) {
      await sleep(this.#isReachable ? intervalsMs.reachable : intervalsMs.unreachable, signal);
      if (!signal.aborted) await this.reload(getCurrentPane());
    }
  }

  stop(): void {
    this.#stop.abort();
  }

  /**
   * Loads a pane. Cancels an earlier request for it, so that an older response cannot replace a newer one.
   */
  async reload(pane: AnyPane): Promise<void> {
    this.#requests.get(pane.id)?.abort();
    const request = new AbortController();
    this.#requests.set(pane.id, request);
    const signal = AbortSignal.any([this.#stop.signal, request.signal]);
    try {
      const items = await pane.load(this.options.sources, signal);
      if (signal.aborted) return;
      this.options.events.loaded(pane, items);
      this.#setReachable(true);
    } catch (error) {
      if (!signal.aborted) this.#fail(pane, error);
    }
  }

  #fail(pane: AnyPane, error: unknown): void {
    const { events } = this.options;
    if (error instanceof WireroomError && error.status === undefined) {
      this.#setReachable(false);
      return;
    }
    if (error instanceof WireroomError) this.#setReachable(true);
    if (!pane.needsAgent && SIGN_IN_ERRORS.has((error as { code?: string }).code ?? "")) {
      this.stop();
      events.ended(error);
    } else events.failed(pane, error);
  }

  #setReachable(isReachable: boolean): void {
    this.#isReachable = isReachable;
    if (isReachable) this.options.events.reachable();
    else this.options.events.unreachable();
  }
}

/** Returns a loader that runs as long as the component is mounted. */
export function usePaneLoader(options: PaneLoaderOptions): PaneLoader {
  const [loader] = useState(() => new PaneLoader(options));
  useEffect(() => {
    void loader.run();
    return () => loader.stop();
  }, [loader]);
  return loader;
}
