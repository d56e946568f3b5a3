import type { Knock } from "../../../sdk/src/api.js";
import { oneLine, safe } from "../safe.js";
import { type Column, fieldColumns } from "../table.js";
import { indented } from "../text.js";
import type { BlockFormatter } from "./wire.js";

export function knockLines(knock: Knock, { paint, time, width }: BlockFormatter): string[] {
  const { id, from, to, intro, status, created_at, decided_at } = knock;
  const decided = decided_at === null ? "" : `, ${time(decided_at)}`;
  return [
    `${paint("bold", oneLine(`@${from} knocks at @${to}`))}  ${time(created_at)}  ${paint("dim", oneLine(id))}`,
    ...indented(safe(intro), "  ", width),
    `  ${paint(status === "pending" ? "yellow" : "dim", `${oneLine(status)}${decided}`)}`,
  ];
}

export const KNOCK_COLUMNS: readonly Column<Knock>[] = [
  ...fieldColumns<Knock>("id", "created_at"),
  { title: "from", cell: ({ from }) => `@${from}` },
  { title: "to", cell: ({ to }) => `@${to}` },
  ...fieldColumns<Knock>("status", "intro"),
];
