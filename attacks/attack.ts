/** The types of an attack in the campaign. */

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
  /** A DM thread between the first three handles. The first one sees only the root, not the wire `hop`. */
  thread: { root: string; hop: string };
  /** A public space. */
  space: string;
  /** Slugs of other accounts' agents. */
  others: string[];
}

export interface Attack {
  name: string;
  /** Description of the attack in the table of results. */
  title: string;
  by: "nobody" | "one account";
  /**
   * Attacks until `signal` is aborted.
   * @param count counts an event for the table of results, such as a response with a status
   */
  run(target: Target, signal: AbortSignal, count: (name: string) => void): Promise<unknown>;
}
