/** Numbers beside the entries of the navigation. */
import { signal } from "@preact/signals";

/** The sections of the console, in the order of their navigation. */
export const SECTIONS = ["approvals", "handles", "read", "spaces", "people", "audit", "account"] as const;

export type Section = (typeof SECTIONS)[number];

export const badges = signal<Readonly<Partial<Record<Section, number>>>>({});
