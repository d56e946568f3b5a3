/** The handles that a human knows: their own, and the contacts of the handle that the view acts as. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ContactsListContact } from "@wireroom/sdk";
import { handles } from "./acting.js";
import { agent } from "./clients.js";
import { type Shapes, shapesOf } from "./look-alike.js";

type Contacts = ReadonlyMap<string, ContactsListContact>;

export interface Known {
  own: ReadonlySet<string>;
  contacts: Contacts;
  /** Display names by slug: of the human's handles, and of the first handles that the switchboard lists. */
  names: ReadonlyMap<string, string | null>;
  shapes: Shapes;
}

interface Entry {
  contacts: Signal<Contacts | undefined>;
  known: ReadonlySignal<Known | undefined>;
  /** Number of the request whose response is shown. An older one does not replace it. */
  shown: number;
}

/** Keyed by the slug of the human's handle. */
const entries = new Map<string, Entry>();
let requests = 0;

/**
 * The signal's value is undefined until the handles are loaded.
 * @param as slug of one of the human's handles
 */
export function knownBy(as: string): ReadonlySignal<Known | undefined> {
  if (!entries.has(as)) {
    const contacts = signal<Contacts>();
    const found = signal<Known["names"]>(new Map());
    const known = computed(() => {
      if (!handles.value || !contacts.value) return undefined;
      const own = new Map(handles.value.map(({ slug, display_name }) => [slug, display_name]));
      return {
        own: new Set(own.keys()),
        contacts: contacts.value,
        names: new Map([...found.value, ...own]),
        shapes: shapesOf([...own.keys(), ...contacts.value.keys()]),
      };
    });
    entries.set(as, { contacts, known, shown: 0 });
    // Ignore the errors, because the view shows its own error. The view then marks no look-alikes.
    readContacts(as).catch(() => entries.delete(as));
    // Look-alikes are marked even if the search is slow or refused.
    namesOf(as).then(
      (read) => {
        found.value = read;
      },
      () => {},
    );
  }
  return entries.get(as)!.known;
}

/** Reads the contacts again, which the handle's agent or another tab may have changed. */
export async function readContacts(as: string): Promise<void> {
  const entry = entries.get(as);
  if (!entry) return void knownBy(as);
  const request = ++requests;
  const read = await Array.fromAsync(agent(as).contacts.list({ limit: 100 }));
  if (request < entry.shown) return;
  entry.shown = request;
  entry.contacts.value = new Map(read.map((contact) => [contact.handle, contact]));
}

async function namesOf(as: string): Promise<Known["names"]> {
  const found = await agent(as).switchboard.search({ type: "handles", limit: 50 });
  return new Map(
    found.flatMap((each) => (each.type === "handle" ? [[each.slug, each.display_name] as const] : [])),
  );
}

export function isLoadedFor(as: string): boolean {
  return entries.has(as);
}
