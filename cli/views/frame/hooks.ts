/** React hooks for state that is kept outside React, and for texts that change over time. */
import { useEffect, useState, useSyncExternalStore } from "react";
import { now } from "../../clock.js";

/**
 * Keeps state outside React, so that each key press sees the changes of the previous one. React would apply
 * changes to its own state only at the next render.
 */
export class Store<State extends object> {
  readonly #listeners = new Set<() => void>();

  constructor(private state: State) {}

  readonly getState = (): State => this.state;

  readonly set = (changed: Partial<State>): void => {
    this.state = { ...this.state, ...changed };
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useStore<State extends object>({ subscribe, getState }: Store<State>): State {
  return useSyncExternalStore(subscribe, getState);
}

export function useNow(): number {
  useInterval(1_000);
  return now();
}

/** Renders the component again at each interval. Returns the number of intervals that have passed. */
export function useInterval(intervalMs: number): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((before) => before + 1), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return count;
}
