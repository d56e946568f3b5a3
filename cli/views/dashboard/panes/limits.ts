/** The rate limits of the active handle, and how much of each is left. */
import type { LimitsGetLimit } from "../../../../sdk/src/index.js";
import { duration } from "../../../output/units.js";
import { type Span, type Style, span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import type { PaneDefinition } from "../pane-definition.js";

/** Width of the usage bar in columns, if the window has room for it. */
const BAR_WIDTH = 20;

export const limitsPane: PaneDefinition<LimitsGetLimit> = {
  id: "limits",
  title: "Limits",
  idOf: ({ name }) => name,
  emptyText: "No limits.",
  needsAgent: true,
  async load({ agent }, signal) {
    const client = await agent();
    return (await client.limits.get({ signal })).limits;
  },
  columns: () => [
    { title: "limit", cell: ({ name }) => span(name.replaceAll("_", " ")) },
    {
      title: "",
      cell: (limit) => bar(limit, BAR_WIDTH),
      drawn: bar,
      flexible: true,
      minWidth: 6,
      dropRank: 2,
    },
    { title: "left", cell: ({ remaining }) => span(String(remaining ?? "-")) },
    { title: "of", cell: ({ limit }) => span(String(limit ?? "no limit")) },
    {
      title: "within",
      cell: ({ window }) => span(window === null ? "-" : duration(window), THEME.faint),
      dropRank: 1,
    },
    {
      title: "next in",
      cell: ({ reset }) => span(reset === null ? "-" : duration(reset), THEME.faint),
      dropRank: 3,
    },
  ],
  card: ({ name, remaining, limit, window, reset }) => [
    [span(name.replaceAll("_", " "))],
    [
      span(
        limit === null ? "no limit" : `${remaining ?? "-"} of ${limit} left`,
        styleOf({ remaining, limit }),
      ),
      span(window === null ? "" : ` in ${duration(window)}`, THEME.faint),
      span(reset === null ? "" : `, next in ${duration(reset)}`, THEME.faint),
    ],
  ],
  actions: [],
};

type Amounts = Pick<LimitsGetLimit, "remaining" | "limit">;

function shareOf({ remaining, limit }: Amounts): number {
  return remaining === null || limit === null || limit === 0 ? 1 : remaining / limit;
}

function bar(limit: LimitsGetLimit, width: number): Span {
  const full = Math.ceil(shareOf(limit) * width);
  return span("━".repeat(full) + "╌".repeat(width - full), styleOf(limit));
}

function styleOf(amounts: Amounts): Style {
  const share = shareOf(amounts);
  if (share > 0.5) return THEME.good;
  return share > 0.1 ? THEME.warning : THEME.bad;
}
