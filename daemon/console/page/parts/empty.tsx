import type { ComponentChildren } from "preact";

/** What stands in place of an empty list: what would be here, and the next step. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
