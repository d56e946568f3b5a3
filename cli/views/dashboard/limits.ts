/** The active handle's rate limits, and how much of each is left. */
import type { LimitsGetLimit } from "../../../sdk/src/api.js";
import { duration } from "../../output/units.js";
import type { Noun } from "../list-detail/noun.js";
import { type Style, THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

const BAR_WIDTH = 12;

export const limitsNoun = ({ agent }: Sources): Noun<LimitsGetLimit> => ({
  id: "limits",
  title: "Limits",
  emptyText: "No limits.",
  needsAgent: true,
  idOf: ({ name }) => name,
  load: async (signal) => (await (await agent()).limits.get({ signal })).limits,
  columns: [
    { title: "limit", text: ({ name }) => name.replaceAll("_", " ") },
    { title: "", text: barOf, style: styleOf, rank: 2 },
    { title: "left", text: ({ remaining }) => String(remaining ?? "-") },
    { title: "of", text: ({ limit }) => String(limit ?? "no limit") },
    {
      title: "within",
      text: ({ window }) => (window === null ? "-" : duration(window)),
      style: THEME.faint,
      rank: 1,
    },
    {
      title: "next in",
      text: ({ reset }) => (reset ? duration(reset) : "-"),
      style: THEME.faint,
      rank: 3,
    },
  ],
  actions: [],
});

function shareOf({ remaining, limit }: LimitsGetLimit): number {
  return remaining === null || limit === null || limit === 0 ? 1 : remaining / limit;
}

function barOf(limit: LimitsGetLimit): string {
  const full = Math.ceil(shareOf(limit) * BAR_WIDTH);
  return "━".repeat(full) + "╌".repeat(BAR_WIDTH - full);
}

function styleOf(limit: LimitsGetLimit): Style {
  const share = shareOf(limit);
  if (share > 0.5) return THEME.good;
  return share > 0.1 ? THEME.warning : THEME.bad;
}
