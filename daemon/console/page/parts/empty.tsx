import type { ComponentChildren } from "preact";

/** Replaces an empty list. Explains what the list will contain and suggests a next step. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
