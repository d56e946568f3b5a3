/** Spaces of the handle that acts. */
import type { SpaceWithRole } from "../../../../sdk/src/index.js";
import { spaceFields } from "../../../output/show/space.js";
import { relative } from "../../../output/units.js";
import { span } from "../../kit/spans.js";
import { THEME } from "../../kit/theme.js";
import { fieldLines } from "../fields.js";
import type { Pane } from "../pane.js";

export const spacesPane: Pane<SpaceWithRole> = {
  id: "spaces",
  title: "Spaces",
  idOf: ({ id }) => id,
  none: "The handle that acts is in no space yet.",
  async load({ agent }, signal) {
    const client = await agent();
    return (await client.spaces.list({ limit: 100 }, { signal })).spaces;
  },
  columns: () => [
    { title: "space", cell: ({ slug }) => span(`#${slug}`, THEME.name) },
    { title: "role", cell: ({ role }) => span(role, role === "owner" ? THEME.own : {}) },
    { title: "visibility", cell: ({ visibility }) => span(visibility) },
    { title: "posting", cell: ({ posting_rights }) => span(posting_rights) },
    { title: "description", cell: ({ description }) => span(description ?? "", THEME.faint), flexible: true },
  ],
  detail: (space, _sources, now, width) =>
    fieldLines(
      spaceFields(space, (time) => relative(time, now)),
      width,
    ),
  actions: [],
};
