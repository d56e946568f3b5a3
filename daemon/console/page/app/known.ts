/** The handles that a human knows: their own, and the contacts of the handle that the view acts as. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { handles } from "./acting.js";
import { agent } from "./clients.js";
import { type Shapes, shapesOf } from "./look-alike.js";

export interface Known {
  own: ReadonlySet<string>;
  contacts: ReadonlySet<string>;
  /** Display names by slug, of the first handles that the switchboard lists. */
  names: ReadonlyMap<string, string | null>;
  shapes: Shapes;
}

/** Keyed by the slug of the human's handle. */
const known = new Map<string, ReadonlySignal<Known | undefined>>();

/**
 * The signal's value is undefined until the handles are loaded.
 * @param as slug of one of the human's handles
 */
export function knownBy(as: string): ReadonlySignal<Known | undefined> {
  let entry = known.get(as);
  if (!entry) {
    const contacts = signal<ReadonlySet<string>>();
    const names = signal<Known["names"]>(new Map());
    entry = computed(() => {
      if (!handles.value || !contacts.value) return undefined;
      const own = new Set(handles.value.map(({ slug }) => slug));
      return {
        own,
        contacts: contacts.value,
        names: names.value,
        shapes: shapesOf([...own, ...contacts.value]),
      };
    });
    known.set(as, entry);
    // Ignore the errors, because the view shows its own error. The view then marks no look-alikes.
    contactsOf(as).then(
      (read) => {
        contacts.value = read;
      },
      () => known.delete(as),
    );
    // Look-alikes are marked even if the search is slow or refused.
    namesOf(as).then(
      (read) => {
        names.value = read;
      },
      () => {},
    );
  }
  return entry;
}

async function contactsOf(as: string): Promise<ReadonlySet<string>> {
  return new Set(await Array.fromAsync(agent(as).contacts.list({ limit: 100 }), ({ handle }) => handle));
}

async function namesOf(as: string): Promise<Known["names"]> {
  const found = await agent(as).switchboard.search({ type: "handles", limit: 50 });
  return new Map(
    found.flatMap((each) => (each.type === "handle" ? [[each.slug, each.display_name] as const] : [])),
  );
}

export function isLoadedFor(as: string): boolean {
  return known.has(as);
}

export function forgetKnown(as: string): void {
  known.delete(as);
}
