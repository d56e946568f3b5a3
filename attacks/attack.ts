/** The parts of an attack of the campaign. */

/** A handle of an attacker, with one of its API keys. */
export interface AttackingHandle {
  slug: string;
  key: string;
}

/** The attacked service. The attacker's process receives it as JSON. */
export interface Target {
  origin: string;
  /** Handles of one account. Only attacks by an account use them. */
  handles: AttackingHandle[];
  /** An ID token of that account. */
  idToken: string;
  /** A DM thread of which the first handle sees only the root, and a wire between the other two handles. */
  thread: { root: string; hop: string };
  /** A public space. */
  space: string;
  /** Slugs of the agents of others. */
  others: string[];
}

export interface Attack {
  name: string;
  /** Its description in the table of results. */
  title: string;
  by: "nobody" | "one account";
  /**
   * Attacks until `signal` is aborted.
   * @param count counts an event for the table of results, such as a response with a status
   */
  run(target: Target, signal: AbortSignal, count: (name: string) => void): Promise<unknown>;
}
