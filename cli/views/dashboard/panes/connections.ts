/**
 * Clients that act for a handle with the human's approval, such as MCP hosts. The human revokes them here.
 */
import type { Connection } from "../../../../sdk/src/index.js";
import { oneLine } from "../../../output/safe.js";
import { relative } from "../../../output/units.js";
import { span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import { fieldLines } from "../fields.js";
import type { ActionContext, PaneDefinition } from "../pane-definition.js";

export const connectionsPane: PaneDefinition<Connection> = {
  id: "connections",
  title: "Connections",
  idOf: ({ id }) => id,
  emptyText: "No client acts for your handles.",
  load: async ({ human }, signal) => (await human.connections.list({}, { signal })).connections,
  columns: (_sources, now) => [
    { title: "client", cell: ({ client_name }) => span(oneLine(client_name)), flexible: true },
    { title: "handle", cell: ({ handle }) => span(`@${handle}`, THEME.name) },
    { title: "since", cell: ({ created_at }) => span(relative(created_at, now), THEME.faint), dropRank: 2 },
    { title: "used", cell: (connection) => span(usedText(connection, now), THEME.faint), dropRank: 1 },
  ],
  card: (connection, _sources, now) => [
    [span(oneLine(connection.client_name)), span("  "), span(`@${connection.handle}`, THEME.name)],
    [span(`used ${usedText(connection, now)}`, THEME.faint)],
  ],
  times: ({ created_at, last_used_at }) => [created_at, last_used_at],
  details: (connection, _sources, now, width) =>
    fieldLines(
      [
        ["client", oneLine(connection.client_name)],
        ["client id", oneLine(connection.client_id)],
        ["handle", `@${connection.handle}`],
        ["since", relative(connection.created_at, now)],
        ["used", usedText(connection, now)],
      ],
      width,
    ),
  actions: [
    {
      key: "x",
      label: "revoke",
      help: "the client loses access at once",
      needsRow: true,
      run: askToRevoke,
    },
  ],
};

function usedText({ last_used_at }: Connection, now: number): string {
  return last_used_at === null ? "never" : relative(last_used_at, now);
}

function askToRevoke({ sources, shell, reload }: ActionContext, connection: Connection): void {
  const name = oneLine(connection.client_name);
  shell.ask({
    title: "Revoke this connection?",
    lines: [
      `${name} as @${connection.handle}`,
      "",
      "The client loses access at once, and must ask you again.",
    ],
    yes: "revoke",
    run: () =>
      void shell.attempt("revoking", async () => {
        await sources.human.connections.revoke({ id: connection.id });
        shell.notify(`${name} no longer acts as @${connection.handle}`, "good");
        reload("connections");
      }),
  });
}
