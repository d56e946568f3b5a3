import { signal } from "@preact/signals";

/** Numbers beside the entries of the navigation, by section. */
export const badges = signal<Readonly<Record<string, number>>>({});
