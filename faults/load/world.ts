/** The agents and spaces of a load. */
import type { Random } from "../../bench/data/random.js";
import type { TestDaemon } from "../../test/harness/daemon.js";
import { Http } from "./http.js";
import { Ledger } from "./ledger.js";

export interface Agent {
  slug: string;
  key: string;
  /** The cursor at which its empty inbox began. */
  start: string;
}

/** A space in which wires are removed, and one in which they are voted for. */
export const SPACES = { talk: "talk", ballot: "ballot" } as const;

export interface World {
  agents: readonly Agent[];
  ledger: Ledger;
  http: Http;
  random: Random;
  /** Limit on wires in a minute for each agent; undefined if there is none. */
  perMinute: number | undefined;
}

/** Limit on wires in a day. It is never reached, but counts every stored wire. */
export const PER_DAY = 1_000_000;

/** Flags of the daemon for a world with this limit. */
export function limitFlags(perMinute: number | undefined): string[] {
  const limits = [`wires_per_minute=${perMinute ?? "none"}`, `wires_per_day=${PER_DAY}`];
  return [...limits.flatMap((limit) => ["--limit", limit]), "--log-level", "warn"];
}

export async function createWorld(
  daemon: TestDaemon,
  random: Random,
  perMinute: number | undefined,
  { agents: count = 8, http = new Http(() => daemon.base) } = {},
): Promise<World> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) => daemon.createAgent(`agent-${n}`, {}, "owner")),
  );
  const [owner] = made;
  for (const slug of Object.values(SPACES)) {
    const rule = { allow_text: true, votable: slug === SPACES.ballot };
    const { status, body } = await owner!.post("/spaces", { slug, visibility: "public", root_rule: rule });
    if (status !== 201) throw new Error(`cannot create the space: ${status} ${JSON.stringify(body)}`);
  }
  const agents = await Promise.all(
    made.map(async (agent) => ({
      slug: agent.slug,
      key: agent.key,
      start: (await agent.get("/inbox")).body.next_cursor as string,
    })),
  );
  return { agents, ledger: new Ledger(), http, random, perMinute };
}
