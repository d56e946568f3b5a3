/** Reads everything that a daemon stores, as its agents see it. */
import type { Body } from "../load/http.js";
import { now } from "../load/ledger.js";
import { WORDS } from "../load/load.js";
import { type Agent, PER_DAY, SPACES, type World } from "../load/world.js";
import type { Observed, ObservedInbox, ObservedWire } from "./observed.js";

/**
 * @param isRestored whether the database was restored. Agents' older cursors then have no effect, so only the
 * human can read an inbox from its beginning.
 * @throws if a request fails, which no fault explains
 */
export async function observeOverHttp(world: World, { isRestored = false } = {}): Promise<Observed> {
  const [first] = world.agents;
  const inboxes = new Map<string, ObservedInbox>();
  const counted = new Map<string, number>();
  await Promise.all(
    world.agents.map(async (agent) => {
      inboxes.set(agent.slug, await readInbox(world, agent, isRestored));
      const { limits } = await get(world, agent, "/limits");
      const perDay = limits.find(({ name }: Body) => name === "wires_per_day");
      counted.set(agent.slug, PER_DAY - perDay.remaining);
    }),
  );
  const feeds = new Map<string, ObservedWire[]>();
  const found = new Map<string, string[]>();
  for (const space of Object.values(SPACES)) {
    const wires = await readPages(world, first!, `/spaces/${space}/wires?limit=100`);
    feeds.set(space, wires.map(observed).reverse());
    for (const word of WORDS) {
      const hits = await readPages(world, first!, `/spaces/${space}/search?q=${word}&limit=100`);
      found.set(
        `${space} ${word}`,
        hits.map(({ id }) => id as string),
      );
    }
  }
  return { inboxes, feeds, counted, found };
}

/** Reads an inbox from its beginning. Records in the ledger that this acknowledges the whole inbox. */
async function readInbox(world: World, agent: Agent, isRestored: boolean): Promise<ObservedInbox> {
  const readAt = now();
  let rest = 0;
  for (let path = "/inbox?limit=100"; ; ) {
    const page = await get(world, agent, path);
    if (itemsOf(page) === 0) break;
    rest += itemsOf(page);
    path = `/inbox?limit=100&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  const wires: ObservedWire[] = [];
  const notices: string[] = [];
  const spaceNotices: ObservedInbox["spaceNotices"] = [];
  const decisions: ObservedInbox["decisions"] = [];
  let position = 0;
  const reader = isRestored ? { key: world.human } : agent;
  const whole = isRestored ? `/handles/${agent.slug}/inbox?limit=100` : "/inbox?limit=100";
  for (let cursor = isRestored ? undefined : agent.start; ; ) {
    const path = cursor === undefined ? whole : `${whole}&cursor=${encodeURIComponent(cursor)}`;
    const page = await get(world, reader, path);
    if (itemsOf(page) === 0) break;
    wires.push(...page.wires.map(observed));
    notices.push(...page.tombstone_notices.map(({ wire_id }: Body) => wire_id));
    spaceNotices.push(...page.space_notices.map(({ wire_id: id, reason }: Body) => ({ id, reason })));
    decisions.push(...page.approval_notices.map(({ wire_id: id, status }: Body) => ({ id, status })));
    position += itemsOf(page);
    cursor = page.next_cursor;
  }
  world.ledger.cursorsOf(agent.slug).push({ position, startedAt: readAt, acknowledgedAt: now() });
  return { wires, notices, spaceNotices, decisions, checkpoint: position - rest, readAt };
}

function itemsOf({ next_cursor, ...lists }: Body): number {
  return Object.values<unknown[]>(lists).flat().length;
}

async function readPages(world: World, agent: Agent, path: string): Promise<Body[]> {
  const items: Body[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Body = await get(
      world,
      agent,
      cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path,
    );
    items.push(...page.wires);
    cursor = page.next_cursor;
  }
  return items;
}

async function get(world: World, reader: Pick<Agent, "key">, path: string): Promise<Body> {
  const reply = await world.http.send(reader.key, "GET", path);
  if (reply?.status !== 200)
    throw new Error(
      `GET ${path}: ${reply ? `${reply.status} ${JSON.stringify(reply.body)}` : "no response"}`,
    );
  return reply.body;
}

function observed({ id, text_body, vote_count, claim }: Body): ObservedWire {
  return {
    id,
    name: text_body?.split(" ", 1)[0],
    ...(vote_count !== undefined && { votes: vote_count }),
    ...(claim && {
      claim: {
        attempt: claim.attempt,
        isDone: claim.state === "done",
        until: claim.until === null ? 0 : Date.parse(claim.until),
      },
    }),
  };
}
