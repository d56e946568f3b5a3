/** The spaces of the active handle. */
import type { SpaceWithRole } from "../../../../sdk/src/index.js";
import { spaceFields } from "../../../output/show/space.js";
import { relative } from "../../../output/units.js";
import { span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import { fieldLines } from "../fields.js";
import type { PaneDefinition } from "../pane-definition.js";

export const spacesPane: PaneDefinition<SpaceWithRole> = {
  id: "spaces",
  title: "Spaces",
  idOf: ({ id }) => id,
  emptyText: "The active handle is in no space yet.",
  needsAgent: true,
  async load({ agent }, signal) {
    const client = await agent();
    return (await client.spaces.list({ limit: 100 }, { signal })).spaces;
  },
  columns: () => [
    { title: "space", cell: ({ slug }) => span(`#${slug}`, THEME.name) },
    { title: "role", cell: roleOf },
    { title: "visibility", cell: ({ visibility }) => span(visibility), dropRank: 2 },
    { title: "posting", cell: ({ posting_rights }) => span(posting_rights), dropRank: 1 },
    {
      title: "description",
      cell: ({ description }) => span(description ?? "", THEME.faint),
      flexible: true,
      dropRank: 3,
    },
  ],
  card: (space) => [
    [span(`#${space.slug}`, THEME.name), span("  "), roleOf(space)],
    [span(`${space.visibility}, posting: ${space.posting_rights}`, THEME.faint)],
  ],
  details: (space, _sources, now, width) =>
    fieldLines(
      spaceFields(space, (time) => relative(time, now)),
      width,
    ),
  times: ({ created_at }) => [created_at],
  actions: [],
};

function roleOf({ role }: SpaceWithRole) {
  return span(role, role === "owner" ? THEME.own : {});
}
