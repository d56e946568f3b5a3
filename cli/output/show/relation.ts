import type { Output } from "../output.js";
import type { Column } from "../table.js";

export function relationColumns(output: Output): readonly Column<{ handle: string; since: string }>[] {
  return [
    { title: "handle", cell: ({ handle }) => `@${handle}` },
    { title: "since", cell: ({ since }) => output.time(since) },
  ];
}
