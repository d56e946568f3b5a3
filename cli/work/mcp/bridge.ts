/**
 * MCP over standard input and output, forwarded to the daemon's endpoint message by message. Nothing is interpreted but what
 * HTTP wants in headers, so every version of the protocol that the daemon speaks passes through.
 */
import { isAsking, linesOf, type Message, parseMessage, protocolHeaders } from "./message.js";

export interface Endpoint {
  url: URL;
  key: string;
}

export interface Streams {
  input: AsyncIterable<Buffer>;
  /** Takes one line of the protocol. */
  output(line: string): void;
  /** Takes a line for people. */
  complain(line: string): void;
}

/** Codes of errors that the bridge answers itself: the first one that JSON-RPC leaves to servers, and its own for a bad line. */
const UNANSWERED = -32_000;
const PARSE_ERROR = -32_700;

/** Runs until the input ends and what was asked by then is answered. */
export async function bridge(endpoint: Endpoint, streams: Streams): Promise<void> {
  const forwarder = new Forwarder(endpoint, streams);
  for await (const line of linesOf(streams.input)) {
    if (line.toString("latin1").trim() !== "") forwarder.forward(line);
  }
  await forwarder.settled();
}

class Forwarder {
  /** Requests under way, by their id. */
  private readonly cancels = new Map<unknown, AbortController>();
  private readonly pending = new Set<Promise<void>>();
  /** The protocol version that `initialize` agreed on. */
  private version: string | undefined;
  /** Messages after `initialize` wait for it, as they have to name the version. */
  private handshake: Promise<void> = Promise.resolve();

  constructor(
    private readonly endpoint: Endpoint,
    private readonly streams: Streams,
  ) {}

  forward(line: Buffer): void {
    const message = parseMessage(line.toString("utf8"));
    if (message === undefined) {
      this.fail({ id: null, method: "" }, PARSE_ERROR, "a line of the input is not a JSON-RPC message");
    } else if (message.method === "notifications/cancelled") {
      // Without a session the daemon cannot be told; it notices that nobody waits for the answer any more.
      this.cancels.get(message.params?.requestId)?.abort();
    } else {
      const answered = this.handshake.then(() => this.send(line, message));
      if (message.method === "initialize") this.handshake = answered;
      this.pending.add(answered);
      void answered.finally(() => this.pending.delete(answered));
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async send(line: Buffer, message: Message): Promise<void> {
    const { url, key } = this.endpoint;
    const cancel = new AbortController();
    if (isAsking(message)) this.cancels.set(message.id, cancel);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...protocolHeaders(message, this.version),
        },
        body: line,
        signal: cancel.signal,
      });
      this.receive(message, response.status, await response.text());
    } catch (error) {
      if (!cancel.signal.aborted) this.fail(message, UNANSWERED, unreachable(url, error));
    } finally {
      this.cancels.delete(message.id);
    }
  }

  private receive(message: Message, status: number, text: string): void {
    const answer = parseMessage(text);
    if (Array.isArray(answer) || answer?.jsonrpc !== undefined) {
      const { protocolVersion } = answer.result ?? {};
      if (message.method === "initialize" && typeof protocolVersion === "string")
        this.version = protocolVersion;
      if (isAsking(message)) this.streams.output(answering(message, answer, text));
    } else if (isAsking(message) || status >= 400) {
      // A request that is refused before MCP sees it, such as one with a revoked key, has the envelope of the service.
      const { message: reason = `the endpoint answered ${status}, and no JSON-RPC` } = (answer ?? {}) as {
        message?: string;
      };
      this.fail(message, UNANSWERED, reason, answer);
    }
  }

  private fail(message: Message, code: number, reason: string, data?: unknown): void {
    this.streams.complain(reason);
    if (!isAsking(message)) return;
    const error = { code, message: reason, data };
    this.streams.output(JSON.stringify({ jsonrpc: "2.0", id: message.id ?? null, error }));
  }
}

/** The line that answers: an error that names no request is meant for the one that was sent. */
function answering({ id }: Message, answer: Message, text: string): string {
  return answer.id === null && id !== undefined ? JSON.stringify({ ...answer, id }) : text;
}

function unreachable(url: URL, error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  const reason = cause?.code ?? cause?.message ?? message;
  return `no answer from ${url.href} (${reason}); is the daemon running there? WIREROOM_URL or --url says where it is`;
}
