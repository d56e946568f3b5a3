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
    const others = signal<Pick<Known, "contacts" | "names">>();
    entry = computed(() => {
      if (!handles.value || !others.value) return undefined;
      const own = new Set(handles.value.map(({ slug }) => slug));
      return { own, ...others.value, shapes: shapesOf([...own, ...others.value.contacts]) };
    });
    known.set(as, entry);
    // Ignore the error, because the view shows its own error. The view then marks no look-alikes.
    othersOf(as).then(
      (read) => {
        others.value = read;
      },
      () => known.delete(as),
    );
  }
  return entry;
}

async function othersOf(as: string): Promise<Pick<Known, "contacts" | "names">> {
  const { contacts, switchboard } = agent(as);
  const [handles, found] = await Promise.all([
    Array.fromAsync(contacts.list({ limit: 100 }), ({ handle }) => handle),
    switchboard.search({ type: "handles", limit: 50 }),
  ]);
  const names = found.flatMap((each) =>
    each.type === "handle" ? [[each.slug, each.display_name] as const] : [],
  );
  return { contacts: new Set(handles), names: new Map(names) };
}

export function isLoadedFor(as: string): boolean {
  return known.has(as);
}

export function forgetKnown(as: string): void {
  known.delete(as);
}
