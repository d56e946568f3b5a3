/** The parts of a scenario of the campaign. */
import type { Random } from "../bench/data/random.js";

/** Numbers for the summary, such as kills and acknowledged wires. */
export type Counts = Record<string, number>;

export interface Life {
  /** Decides everything that the processes leave open. */
  random: Random;
  /** An empty folder. It is kept if the life fails. */
  folder: string;
  /** Adds to the numbers of the summary. */
  count(name: string, by?: number): void;
  /** States where the life is, for the report of a failure. */
  at(place: string): void;
  /** Size of the life: 1 in the campaign, less for a slice. */
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
