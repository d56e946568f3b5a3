/** What is left of each rate limit of the handle that acts. */
import type { LimitsGetLimit } from "../../../../sdk/src/index.js";
import { duration } from "../../../output/units.js";
import { type Span, type Style, span } from "../../kit/spans.js";
import { THEME } from "../../kit/theme.js";
import type { Pane } from "../pane.js";

/** Columns of the bar, where there is room. */
const BAR = 20;

export const limitsPane: Pane<LimitsGetLimit> = {
  id: "limits",
  title: "Limits",
  idOf: ({ name }) => name,
  none: "No limits.",
  async load({ agent }, signal) {
    const client = await agent();
    return (await client.limits.get({ signal })).limits;
  },
  columns: () => [
    { title: "limit", cell: ({ name }) => span(name.replaceAll("_", " ")) },
    { title: "", cell: (limit) => bar(limit, BAR), drawn: bar, flexible: true },
    { title: "left", cell: ({ remaining }) => span(String(remaining ?? "-")) },
    { title: "of", cell: ({ limit }) => span(String(limit ?? "no limit")) },
    { title: "within", cell: ({ window }) => span(window === null ? "-" : duration(window), THEME.faint) },
    { title: "next in", cell: ({ reset }) => span(reset === null ? "-" : duration(reset), THEME.faint) },
  ],
  actions: [],
};

function shareOf({ remaining, limit }: LimitsGetLimit): number {
  return remaining === null || limit === null || limit === 0 ? 1 : remaining / limit;
}

function bar(limit: LimitsGetLimit, width: number): Span {
  const full = Math.ceil(shareOf(limit) * width);
  return span("━".repeat(full) + "╌".repeat(width - full), styleOf(limit));
}

function styleOf(limit: LimitsGetLimit): Style {
  const share = shareOf(limit);
  if (share > 0.5) return THEME.good;
  return share > 0.1 ? THEME.warning : THEME.bad;
}
