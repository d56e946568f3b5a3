import type { ContactsListContact } from "../../../sdk/src/index.js";
import type { Output } from "../output.js";
import type { Column } from "../table.js";

export function relationColumns(output: Output): readonly Column<{ handle: string; since: string }>[] {
  return [
    { title: "handle", cell: ({ handle }) => `@${handle}` },
    { title: "since", cell: ({ since }) => output.time(since) },
  ];
}

export function contactColumns(output: Output): readonly Column<ContactsListContact>[] {
  return [
    ...relationColumns(output),
    {
      title: "last_pull_at",
      cell: ({ last_pull_at }) => (last_pull_at === null ? "" : output.time(last_pull_at)),
    },
  ];
}
