/** The official MCP clients with OAuth. They need only the URL of the MCP endpoint. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  UnauthorizedError as ModernUnauthorized,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as LegacyUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { TestDaemon } from "./daemon.js";
import { mcpUrl } from "./mcp.js";
import { REDIRECT } from "./oauth.js";

/** Keeps what a client stores, and the URL to which it sends the human. */
export class MemoryProvider {
  readonly clientMetadata;
  authorizationUrl?: URL;
  // biome-ignore lint/suspicious/noExplicitAny: the two clients have different types
  private readonly stored: Record<string, any> = {};

  constructor(
    readonly redirectUrl = REDIRECT,
    clientName = "A test",
  ) {
    this.clientMetadata = {
      client_name: clientName,
      redirect_uris: [redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state = () => "a state";
  clientInformation = () => this.stored.client;
  saveClientInformation = (client: unknown) => void Object.assign(this.stored, { client });
  tokens = () => this.stored.tokens;
  saveTokens = (tokens: unknown) => void Object.assign(this.stored, { tokens });
  codeVerifier = () => this.stored.verifier as string;
  saveCodeVerifier = (verifier: string) => void Object.assign(this.stored, { verifier });
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url;
  }
}

const NAME = { name: "oauth-test", version: "1.0.0" };

/**
 * `connect` begins to connect. `finish` takes the URL to which the browser is redirected after the human has
 * approved.
 */
export const OAUTH_CLIENTS = {
  "the 1.x client": {
    Unauthorized: LegacyUnauthorized,
    connect(daemon: TestDaemon, provider: MemoryProvider) {
      const client = new LegacyClient(NAME);
      const transport = new LegacyTransport(mcpUrl(daemon), { authProvider: provider });
      const finish = (back: URL) => transport.finishAuth(back.searchParams.get("code")!);
      return { client, finish, connected: client.connect(transport as never) };
    },
  },
  "the 2.x client": {
    Unauthorized: ModernUnauthorized,
    connect(daemon: TestDaemon, provider: MemoryProvider) {
      const client = new ModernClient(NAME, { versionNegotiation: { mode: "auto" } });
      const transport = new ModernTransport(mcpUrl(daemon), { authProvider: provider });
      const finish = (back: URL) => transport.finishAuth(back.searchParams);
      return { client, finish, connected: client.connect(transport) };
    },
  },
};
