import type { Connection } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import type { Column } from "../../output/table.js";
import { assertWhole, findById } from "../../services/find-by-id.js";
import { argument } from "../arguments.js";
import { noun } from "../command.js";
import { operation } from "../operation.js";

const columns = ({ time }: Output): readonly Column<Connection>[] => [
  { title: "client", cell: ({ client_name }) => oneLine(client_name), flexible: true },
  { title: "handle", cell: ({ handle }) => `@${handle}` },
  { title: "since", cell: ({ created_at }) => time(created_at) },
  { title: "last used", cell: ({ last_used_at }) => time(last_used_at) },
  { title: "id", cell: ({ id }) => id, flexible: true },
];

const clientOf = ({ client_name, handle }: Connection) => `${oneLine(client_name)} to @${handle}`;

export const add = noun(
  "connection",
  "list the applications that act for your handles, and end their connections",
  [
    operation("connections.list", {
      name: "list",
      description: "list the applications that act for your handles, newest first",
      page: "connections",
      pageSize: 100,
      examples: "wireroom connection list",
      table: ({ output }) => [columns(output), "no connections: no client acts for your handles"],
    }),
    operation("connections.revoke", {
      name: "revoke",
      description: "revoke a connection immediately",
      arguments: [argument("<id>", "id of the connection, from wireroom connection list", "id")],
      examples: "wireroom connection revoke 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f",
      async find({ client, input, flags }) {
        const found = await findById(client.connections.list(), input.id, ({ id }) => [id]);
        if (!found)
          throw new Failure("NOT_FOUND", "you have no connection with this id", [
            "List your connections: wireroom connection list",
          ]);
        assertWhole(input.id, found.id, `the connection of ${clientOf(found)}`, flags);
        return found;
      },
      prepare: ({ found: { id } }) => ({ id }),
      confirm: ({ found }) => `Revoke the connection of ${clientOf(found)}? The client loses access at once.`,
      success: ({ found }) => [`revoked the connection of ${clientOf(found)}`, found.id],
    }),
  ],
);
