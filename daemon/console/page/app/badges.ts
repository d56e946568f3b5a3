import { signal } from "@preact/signals";

/** The counts that the navigation shows beside its sections: a number, or text such as `100+`. */
interface Badges {
  readonly approvals?: number;
  readonly [section: string]: number | string | undefined;
}

export const badges = signal<Badges>({});
