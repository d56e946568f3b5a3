/** Connects the official client 1.x. */
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { connectWith, headers, settings } from "./common.mjs";

export function connectLegacy() {
  return connectWith(async (authProvider) => {
    const client = new Client({ name: "test-of-hosts", version: "1.0.0" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(settings.mcpUrl), { requestInit: { headers }, authProvider }),
    );
    return client;
  }, finishLegacy);
}

/** Redeems the code in the parameters of a redirect. */
export const finishLegacy = (provider, parameters) =>
  auth(provider, {
    serverUrl: settings.mcpUrl,
    authorizationCode: parameters.get("code"),
    iss: parameters.get("iss") ?? undefined,
  });
