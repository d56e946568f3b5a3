/** An HTTP client that tells a response from a missing one, which the ledger must know. */
import { Agent, request } from "undici";

// biome-ignore lint/suspicious/noExplicitAny: the load reads untyped response bodies
export type Body = any;

export interface Reply {
  status: number;
  body: Body;
}

const DEFAULT_TIMEOUT_MS = 30_000;

export class Http {
  private readonly agent: Agent;

  /** @param base returns the base URL of the REST API, which may change after a restart */
  constructor(
    private readonly base: () => string,
    private readonly timeoutMs = DEFAULT_TIMEOUT_MS,
  ) {
    this.agent = new Agent({
      connections: 64,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connectTimeout: timeoutMs,
    });
  }

  /** Sends a request. Returns undefined if no complete response arrived, so that its effect is unknown. */
  async send(
    key: string,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply | undefined> {
    try {
      const response = await request(`${this.base()}${path}`, {
        method: method as "GET",
        dispatcher: this.agent,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      const text = await response.body.text();
      return { status: response.statusCode, body: JSON.parse(text) };
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
