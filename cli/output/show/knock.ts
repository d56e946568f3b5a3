/** A knock, for people and for scripts. */
import type { Knock } from "../../../sdk/src/index.js";
import type { Formatter } from "../output.js";
import { safe } from "../safe.js";
import type { Column } from "../table.js";

export function knockLines(knock: Knock, { paint, time }: Formatter): string[] {
  const { id, from, to, intro, status, created_at, decided_at } = knock;
  const decided = decided_at === null ? "" : `, ${time(decided_at)}`;
  return [
    `${paint("bold", `@${from} knocks at @${to}`)}  ${time(created_at)}  ${paint("dim", id)}`,
    ...safe(intro)
      .split("\n")
      .map((line) => `  ${line}`),
    `  ${paint(status === "pending" ? "yellow" : "dim", `${status}${decided}`)}`,
  ];
}

/** A knock as a line for a script. */
export const KNOCK_COLUMNS: readonly Column<Knock>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "created_at", cell: ({ created_at }) => created_at },
  { title: "from", cell: ({ from }) => `@${from}` },
  { title: "to", cell: ({ to }) => `@${to}` },
  { title: "status", cell: ({ status }) => status },
  { title: "intro", cell: ({ intro }) => intro },
];
