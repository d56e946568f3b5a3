/**
 * Forwards MCP messages between standard input and output and the daemon's HTTP endpoint. Reads only the
 * fields that HTTP headers need, so it works with every protocol version that the daemon supports.
 */
import { stdin, stdout } from "node:process";
import { describeFault } from "../../../sdk/src/runtime/transport/fault.js";
import {
  cancelledIds,
  expectsResponse,
  linesOf,
  type Message,
  messagesOf,
  onlyCancels,
  parseMessage,
  protocolHeaders,
  requestIds,
} from "./message.js";

export interface Endpoint {
  url: URL;
  /** Returns the credential for a request. After a 401, called again with the rejected credential. */
  credential(refused?: string): string | Promise<string>;
}

type Log = (line: string) => void;

/** JSON-RPC 2.0 error code. The range from -32000 to -32099 is reserved for servers. */
const SERVER_ERROR = -32_000;
const PARSE_ERROR = -32_700;

export async function bridge(endpoint: Endpoint, log: Log): Promise<void> {
  const forwarder = new Forwarder(endpoint, log);
  // A closed pipe means that the MCP host has exited.
  stdout.once("error", () => process.exit());
  for await (const line of linesOf(stdin)) {
    if (line.toString("latin1").trim() !== "") forwarder.forward(line);
  }
  await forwarder.waitForPending();
}

class Forwarder {
  /** Keyed by JSON-RPC request id. */
  private readonly cancels = new Map<unknown, () => void>();
  private readonly pending = new Set<Promise<void>>();
  /** Protocol version that `initialize` negotiated. */
  private version: string | undefined;
  /**
   * Resolves after the `initialize` response. Later messages wait, because they need its protocol version.
   */
  private handshake: Promise<void> = Promise.resolve();

  constructor(
    private readonly endpoint: Endpoint,
    private readonly log: Log,
  ) {}

  forward(line: Buffer): void {
    const message = parseMessage(line.toString("utf8"));
    if (message === undefined) {
      this.fail({ id: null, method: "" }, PARSE_ERROR, "a line of the input is not a JSON-RPC message");
      return;
    }
    // The HTTP endpoint ignores cancellations, so the bridge closes the connection instead.
    for (const id of cancelledIds(message)) this.cancels.get(id)?.();
    if (onlyCancels(message)) return;
    const signal = this.cancellable(message);
    const completed = this.handshake
      .then(() => this.send(line, message, signal))
      .finally(() => {
        for (const id of requestIds(message)) this.cancels.delete(id);
        this.pending.delete(completed);
      });
    if (message.method === "initialize") this.handshake = completed;
    this.pending.add(completed);
  }

  private cancellable(message: Message): AbortSignal {
    const controller = new AbortController();
    const wanted = new Set<unknown>(requestIds(message));
    for (const id of [...wanted]) {
      this.cancels.set(id, () => {
        wanted.delete(id);
        if (wanted.size === 0) controller.abort();
      });
    }
    return controller.signal;
  }

  async waitForPending(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async send(line: Buffer, message: Message, signal: AbortSignal): Promise<void> {
    const { url } = this.endpoint;
    if (signal.aborted) return;
    try {
      const response = await this.post(line, message, signal);
      let isAnswered = false;
      for await (const text of messagesOf(response))
        isAnswered = this.receive(message, response.status, text) || isAnswered;
      // The response is missing, for example because a proxy has closed an idle event stream.
      if (!isAnswered && expectsResponse(message))
        this.fail(message, SERVER_ERROR, "the connection ended before the response");
    } catch (error) {
      // `fetch` throws a TypeError if it gets no response.
      const reason = error instanceof TypeError ? unreachable(url, error) : (error as Error).message;
      if (!signal.aborted) this.fail(message, SERVER_ERROR, reason);
    }
  }

  private async post(line: Buffer, message: Message, signal: AbortSignal): Promise<Response> {
    const { url, credential } = this.endpoint;
    const send = (token: string) =>
      fetch(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...protocolHeaders(message, this.version),
        },
        body: line,
        redirect: "manual",
        signal,
      });
    const token = await credential();
    const response = await send(token);
    if (response.status !== 401) return response;
    const other = await credential(token);
    if (other === token) return response;
    await response.body?.cancel();
    return send(other);
  }

  /** Returns false for a notification that precedes the response. */
  private receive(message: Message, status: number, text: string): boolean {
    const response = parseMessage(text);
    if (Array.isArray(response) || response?.jsonrpc !== undefined) {
      const { protocolVersion } = response.result ?? {};
      if (message.method === "initialize" && typeof protocolVersion === "string")
        this.version = protocolVersion;
      if (expectsResponse(message)) write(responseLine(message, response, text));
      return Array.isArray(response) || response.method === undefined;
    }
    if (expectsResponse(message) || status >= 400) {
      // An authentication error, for example for a revoked key, is an error envelope, not a JSON-RPC message.
      const { message: reason = `the endpoint returned ${status} without a JSON-RPC message` } = (response ??
        {}) as {
        message?: string;
      };
      this.fail(message, SERVER_ERROR, reason, response);
    }
    return true;
  }

  private fail(message: Message, code: number, reason: string, data?: unknown): void {
    this.log(reason);
    if (!expectsResponse(message)) return;
    const error = { code, message: reason, data };
    write(JSON.stringify({ jsonrpc: "2.0", id: message.id ?? null, error }));
  }
}

function write(line: string): void {
  stdout.write(`${line}\n`);
}

/** Returns the response as an output line. Adds the request's id to an error response without an id. */
function responseLine({ id }: Message, response: Message, text: string): string {
  return response.id === null && id !== undefined ? JSON.stringify({ ...response, id }) : text;
}

function unreachable(url: URL, error: unknown): string {
  return `no response from ${url.href} (${describeFault(error).why}); check that the daemon runs there, or set its URL with WIREROOM_URL or --url`;
}
