/** The clients that act for a handle with the human's approval, such as MCP hosts. */
import type { Connection } from "../../../sdk/src/api.js";
import { oneLine } from "../../output/safe.js";
import { ageOf, type Noun, timeColumn } from "../list-detail/noun.js";
import { THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

export const connectionsNoun = ({ human }: Sources): Noun<Connection> => ({
  id: "connections",
  title: "Connections",
  emptyText: "No client acts for your handles.",
  idOf: ({ id }) => id,
  load: async (signal) => (await human.connections.list({}, { signal })).connections,
  columns: [
    { title: "client", text: ({ client_name }) => client_name, flexible: true },
    { title: "handle", text: ({ handle }) => `@${handle}`, style: THEME.name },
    timeColumn("since", ({ created_at }) => created_at, 2),
    timeColumn("used", ({ last_used_at }) => last_used_at, 1, "never"),
  ],
  fields: ({ client_name, client_id, handle, created_at, last_used_at }, now) => [
    ["client", oneLine(client_name)],
    ["client id", oneLine(client_id)],
    ["handle", `@${handle}`],
    ["since", ageOf(created_at, now)],
    ["used", ageOf(last_used_at, now, "never")],
  ],
  actions: [
    {
      key: "r",
      label: "revoke",
      help: "the client loses access at once",
      question: ({ client_name, handle }) => ({
        title: "Revoke this connection?",
        lines: [
          `${oneLine(client_name)} as @${handle}`,
          "",
          "The client loses access at once, and must ask you again.",
        ],
        yes: "revoke",
      }),
      busy: "revoking",
      async run({ id, client_name, handle }) {
        await human.connections.revoke({ id });
        return `${oneLine(client_name)} no longer acts as @${handle}`;
      },
    },
  ],
});
