import type { ComponentChildren } from "preact";

/** Shown instead of an empty list. It explains what the list will contain, and suggests the next step. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
