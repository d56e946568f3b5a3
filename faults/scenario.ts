/** The types of a scenario in the campaign. */
import type { Random } from "../bench/data/random.js";

/** Numbers for the summary, such as kills and acknowledged wires. */
export type Counts = Record<string, number>;

export interface Life {
  /** Source of all random decisions. Only the processes' timing does not depend on it. */
  random: Random;
  /** An empty folder. It is kept if the life fails. */
  folder: string;
  /** Adds to the numbers of the summary. */
  count(name: string, by?: number): void;
  /** Records what the life is doing now, for the report of a failure. */
  at(place: string): void;
  /** Size of the life: 1 in the campaign, less in `npm test`. */
  scale: number;
}

export interface Scenario {
  name: string;
  title: string;
  /** Share of the campaign's time, relative to the other scenarios. */
  weight: number;
  /** Returns why the scenario cannot run on this machine, or undefined. */
  unavailable?(): string | undefined;
  /** Runs one life: a new service, a load, and faults. Returns the violated guarantees. */
  run(life: Life): Promise<string[]>;
}
