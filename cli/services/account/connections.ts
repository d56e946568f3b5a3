/** Implements `wireroom connection …`. */
import type { Connection, WireroomDashboard } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { readPages } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import type { Session } from "../../session.js";

export async function listConnections(session: Session): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const body = await readPages({ all: true, limit: 100 }, "connections", (page) =>
    client.connections.list(page),
  );
  output.result(body, () =>
    output.table<Connection>(
      [
        { title: "client", cell: ({ client_name }) => oneLine(client_name), flexible: true },
        { title: "handle", cell: ({ handle }) => `@${handle}` },
        { title: "since", cell: ({ created_at }) => output.time(created_at) },
        { title: "last used", cell: ({ last_used_at }) => output.time(last_used_at) },
        { title: "id", cell: ({ id }) => id, flexible: true },
      ],
      body.connections,
      "no connections: no client acts for your handles",
    ),
  );
}

export async function revokeConnection(session: Session, id: string): Promise<void> {
  const { output, prompt } = session;
  const client = await session.dashboard();
  const connection = await findConnection(client, id);
  if (!connection)
    throw new Failure("NOT_FOUND", "you have no connection with this id", [
      "List your connections: wireroom connection list",
    ]);
  const { client_name, handle } = connection;
  await prompt.confirm(
    `Revoke the connection of ${oneLine(client_name)} to @${handle}? The client loses access at once.`,
  );
  const body = await client.connections.revoke({ id });
  output.result(body, () =>
    output.success(`revoked the connection of ${oneLine(client_name)} to @${handle}`, id),
  );
}

async function findConnection(client: WireroomDashboard, id: string): Promise<Connection | undefined> {
  for await (const connection of client.connections.list()) if (connection.id === id) return connection;
  return undefined;
}
