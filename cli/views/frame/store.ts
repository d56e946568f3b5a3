/**
 * Keeps state outside React, so that each key press sees the changes of the previous one. React would apply
 * changes to its own state only at the next render.
 */
import { useSyncExternalStore } from "react";

export class Store<State extends object> {
  readonly #listeners = new Set<() => void>();
  #state: State;

  constructor(initial: State) {
    this.#state = initial;
  }

  readonly getState = (): State => this.#state;

  /** Changes properties of the state synchronously, and notifies all subscribers. */
  readonly set = (changed: Partial<State>): void => {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  };

  /** Calls `listener` after each change. Returns a function that ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Returns a store's state. The component renders again after each change. */
export function useStore<State extends object>({ subscribe, getState }: Store<State>): State {
  return useSyncExternalStore(subscribe, getState);
}
