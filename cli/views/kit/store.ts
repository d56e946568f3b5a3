/**
 * Keeps state outside React, so that each key sees the changes of the previous key. React applies changes
 * of its own state only at the next render.
 */
import { useSyncExternalStore } from "react";

export type Reducer<State, Action> = (state: State, action: Action) => State;

export class Store<State, Action> {
  readonly #listeners = new Set<() => void>();
  #state: State;

  constructor(
    private readonly reducer: Reducer<State, Action>,
    initial: State,
  ) {
    this.#state = initial;
  }

  readonly getState = (): State => this.#state;

  /** Applies an action synchronously. Notifies the subscribers if the state has changed. */
  readonly dispatch = (action: Action): void => {
    const next = this.reducer(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  };

  /** Calls `listener` after each change. Returns the function that ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** Returns the state of a store. The component renders again after each change. */
export function useStore<State>({
  subscribe,
  getState,
}: Pick<Store<State, never>, "subscribe" | "getState">): State {
  return useSyncExternalStore(subscribe, getState);
}
