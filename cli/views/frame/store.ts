/**
 * Keeps state outside React, so that each key sees the changes of the previous key. React applies changes
 * of its own state only at the next render.
 */
import { useSyncExternalStore } from "react";

export class Store<State extends object> {
  readonly #listeners = new Set<() => void>();
  #state: State;

  constructor(initial: State) {
    this.#state = initial;
  }

  readonly getState = (): State => this.#state;

  /** Changes properties of the state synchronously, and notifies the subscribers. */
  readonly set = (changed: Partial<State>): void => {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  };

  /** Calls `listener` after each change. Returns the function that ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Returns the state of a store. The component renders again after each change. */
export function useStore<State extends object>({ subscribe, getState }: Store<State>): State {
  return useSyncExternalStore(subscribe, getState);
}
