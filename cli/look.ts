/** How the things of one command look: with names where a person reads. */
import type { Wireroom } from "../sdk/src/index.js";
import { type Look, Names } from "./output/show/look.js";
import type { Session } from "./session.js";

/**
 * Names are looked up for a person alone: a script gets the ids as they are. What cannot be looked up stays an id.
 *
 * @param spaces whether wires of spaces may be among what is shown
 */
export async function lookOf(session: Session, client: Wireroom, { spaces = false } = {}): Promise<Look> {
  const { output } = session;
  const time = (text: string) => output.time(text);
  if (!output.isTerminal || output.json) return { paint: output.paint, time, names: new Names() };
  const [own, joined] = await Promise.all([
    client.profile.get().catch(() => undefined),
    spaces ? client.spaces.list({ limit: 100 }).catch(() => undefined) : undefined,
  ]);
  const slugs = new Map(joined?.spaces.map(({ id, slug }) => [id, slug]));
  return { paint: output.paint, time, names: new Names(own, slugs) };
}
