import { signal } from "@preact/signals";

/** The count beside each section of the navigation, such as the number of waiting approvals. */
export const badges = signal<Readonly<Record<string, number>>>({});
