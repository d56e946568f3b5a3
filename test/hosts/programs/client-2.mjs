/** The official client 2.x, which finds the newest protocol. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { connectWith, headers, settings } from "./common.mjs";
import { exercise } from "./official.mjs";

const transportWith = (authProvider) =>
  new StreamableHTTPClientTransport(new URL(settings.mcpUrl), { requestInit: { headers }, authProvider });

const client = await connectWith(
  async (provider) => {
    const connected = new Client(
      { name: "test-of-hosts", version: "1.0.0" },
      { versionNegotiation: { mode: "auto" } },
    );
    await connected.connect(transportWith(provider));
    return connected;
  },
  (provider, parameters) => transportWith(provider).finishAuth(parameters),
);
await exercise(client);
