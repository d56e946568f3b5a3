import { signal } from "@preact/signals";

/** The number beside each section in the navigation, such as the number of waiting approvals. */
export const badges = signal<Readonly<Record<string, number>>>({});
