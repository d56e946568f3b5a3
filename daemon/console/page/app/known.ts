/** The handles that the human knows: their own, and the contacts of the handle that a view is about. */
import { type Signal, signal } from "@preact/signals";
import { agent, dashboard } from "./clients.js";
import { type Shapes, shapesOf } from "./look-alike.js";

/** What the human knows by each of their handles. */
export interface Known {
  own: ReadonlySet<string>;
  shapes: Shapes;
}

/** By handle. A handle's entry is read once, when a view first needs it, and again after `forgetKnown`. */
const known = new Map<string, Signal<Known | undefined>>();

/**
 * Returns a signal whose value is undefined until it was read.
 * @param as one of the human's own handles
 */
export function knownBy(as: string): Signal<Known | undefined> {
  let entry = known.get(as);
  if (!entry) {
    const value = signal<Known>();
    entry = value;
    known.set(as, entry);
    // Without an answer nothing is marked. The view itself shows why the daemon does not answer.
    read(as).then(
      (read) => {
        value.value = read;
      },
      () => known.delete(as),
    );
  }
  return entry;
}

async function read(as: string): Promise<Known> {
  const own = new Set((await dashboard.handles.list()).handles.map(({ slug }) => slug));
  const slugs = [...own];
  for await (const { handle } of agent(as).contacts.list({ limit: 100 })) slugs.push(handle);
  return { own, shapes: shapesOf(slugs) };
}

/** Forgets what was read of a handle, after its contacts have changed. */
export function forgetKnown(as: string): void {
  known.delete(as);
}
