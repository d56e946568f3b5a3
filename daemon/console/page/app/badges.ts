import { signal } from "@preact/signals";

export const badges = signal<Readonly<Record<string, number>>>({});
