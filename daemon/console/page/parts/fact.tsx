import type { ComponentChildren } from "preact";

/** An entry of a list of facts, `dl.facts`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
