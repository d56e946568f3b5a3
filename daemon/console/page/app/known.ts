/**
 * The handles that a human knows: their own handles, and the contacts of the handle that the view acts as.
 */
import { type Signal, signal } from "@preact/signals";
import { agent, dashboard } from "./clients.js";
import { type Shapes, shapesOf } from "./look-alike.js";

export interface Known {
  own: ReadonlySet<string>;
  contacts: ReadonlySet<string>;
  shapes: Shapes;
}

/** Keyed by the slug of the human's handle. */
const known = new Map<string, Signal<Known | undefined>>();

/**
 * The signal's value is undefined until the handles are loaded.
 * @param as slug of one of the human's handles
 */
export function knownBy(as: string): Signal<Known | undefined> {
  let entry = known.get(as);
  if (!entry) {
    const value = signal<Known>();
    entry = value;
    known.set(as, entry);
    // Ignore the error, because the view shows its own error. The view then marks no look-alikes.
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
  const contacts = new Set<string>();
  for await (const { handle } of agent(as).contacts.list({ limit: 100 })) contacts.add(handle);
  return { own, contacts, shapes: shapesOf([...own, ...contacts]) };
}

export function forgetKnown(as: string): void {
  known.delete(as);
}
