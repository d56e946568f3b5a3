/** The spaces of the active handle. */
import type { SpaceWithRole } from "../../../sdk/src/api.js";
import { spaceFields } from "../../output/show/space.js";
import { ageOf, type Noun } from "../list-detail/noun.js";
import { THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

export const spacesNoun = ({ agent }: Sources): Noun<SpaceWithRole> => ({
  id: "spaces",
  title: "Spaces",
  emptyText: "The active handle is in no space yet.",
  needsAgent: true,
  idOf: ({ id }) => id,
  load: async (signal) => (await (await agent()).spaces.list({ limit: 100 }, { signal })).spaces,
  columns: [
    { title: "space", text: ({ slug }) => `#${slug}`, style: THEME.name },
    { title: "role", text: ({ role }) => role, style: ({ role }) => (role === "owner" ? THEME.own : {}) },
    { title: "visibility", text: ({ visibility }) => visibility, rank: 2 },
    { title: "posting", text: ({ posting_rights }) => posting_rights, rank: 1 },
    {
      title: "description",
      text: ({ description }) => description ?? "",
      style: THEME.faint,
      flexible: true,
      rank: 3,
    },
  ],
  fields: (space, now) => spaceFields(space, (time) => ageOf(time, now)),
  actions: [],
});
