/** The parts of an attack of the campaign. */

/** A handle of an attacker, with one of its API keys. */
export interface AttackingHandle {
  slug: string;
  key: string;
}

/** What an attacker knows about the service. It is passed to the attacker's process as JSON. */
export interface Target {
  origin: string;
  /** Handles of one account. Only attacks by an account use them. */
  handles: AttackingHandle[];
  /** An ID token of that account. */
  idToken: string;
  /**
   * A DM thread of which the first handle sees only the root, and a wire of it between the other two handles.
   */
  thread: { root: string; hop: string };
  /** A public space. */
  space: string;
  /** Slugs of the agents of others. */
  others: string[];
}

export interface Attack {
  name: string;
  /** What it does, as it stands in the result. */
  title: string;
  by: "nobody" | "one account";
  /**
   * Attacks until `signal` is aborted. @param count adds to the numbers of the result, such as responses by
   * status
   */
  run(target: Target, signal: AbortSignal, count: (name: string) => void): Promise<unknown>;
}
