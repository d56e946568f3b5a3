import type { LimitsGetOutput } from "../../../sdk/src/api.js";
import type { Column } from "../../output/table.js";
import { duration } from "../../output/units.js";
import { operation } from "../operation.js";

const COLUMNS: readonly Column<LimitsGetOutput["limits"][number]>[] = [
  { title: "name", cell: ({ name }) => name },
  { title: "remaining", cell: ({ remaining }) => String(remaining ?? "-") },
  { title: "limit", cell: ({ limit }) => String(limit ?? "no limit") },
  { title: "window", cell: ({ window }) => (window === null ? "-" : duration(window)) },
  { title: "resets in", cell: ({ reset }) => (reset ? duration(reset) : "-") },
];

export const add = operation("limits.get", {
  name: "limits",
  description: "show what is left of each rate limit",
  examples: "wireroom limits --json",
  show: ({ output, body }) => output.table(COLUMNS, body.limits, "no limits"),
});
