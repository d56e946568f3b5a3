/**
 * A keep-alive connection that sends prepared requests and reads only the status and the length of their
 * responses. It takes less CPU time than undici, so that the load process leaves the processors to the server
 * (bench/README.md).
 */
import { connect, type Socket } from "node:net";
import type { PlannedRequest } from "./requests.js";

/** Status of a request whose connection broke. */
export const BROKEN = 0;

/** All connections share one buffer, because Node calls back before it reads again. */
const received = Buffer.allocUnsafe(64 * 1_024);
const HEAD_END = "\r\n\r\n";

export class Connection {
  private readonly socket: Socket;
  private done: ((status: number) => void) | undefined;
  /** The beginning of a response whose head is incomplete. */
  private head = "";
  private status = 0;
  /** Bytes of the body that have not arrived yet. */
  private missing = 0;

  /** @param onClose called once when the connection has closed, after the callback of its request */
  constructor(url: URL, onClose: (connection: Connection) => void) {
    this.socket = connect({
      host: url.hostname,
      port: Number(url.port),
      noDelay: true,
      onread: {
        buffer: received,
        callback: (length) => {
          this.receive(length);
          return true;
        },
      },
    });
    this.socket.on("error", () => undefined);
    this.socket.once("close", () => {
      this.end(BROKEN);
      onClose(this);
    });
  }

  /**
   * Sends a request. Only one request may be under way.
   * @param done called with the status, or with {@link BROKEN}
   */
  send(request: Buffer, done: (status: number) => void): void {
    this.done = done;
    this.socket.write(request);
  }

  destroy(): void {
    this.socket.destroy();
  }

  private receive(length: number): void {
    let bodyBytes = length;
    if (this.missing === 0) {
      const before = this.head.length;
      this.head += received.toString("latin1", 0, length);
      const end = this.head.indexOf(HEAD_END);
      if (end < 0) return;
      bodyBytes = before + length - end - HEAD_END.length;
      this.status = Number(this.head.slice(9, 12));
      const contentLength = /\r\ncontent-length: *(\d+)/i.exec(this.head.slice(0, end + 2))?.[1];
      this.head = "";
      if (contentLength === undefined && this.status !== 204) {
        // Only responses with a known length are read.
        this.socket.destroy(new Error("the response has no Content-Length"));
        return;
      }
      this.missing = Number(contentLength ?? 0);
    }
    this.missing -= bodyBytes;
    if (this.missing === 0) this.end(this.status);
  }

  private end(status: number): void {
    const { done } = this;
    this.done = undefined;
    done?.(status);
  }
}

/** Returns the bytes of a request. */
export function bytesOf({ method, path, headers, body = "" }: PlannedRequest, { host }: URL): Buffer {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  if (method === "POST") lines.push(`content-length: ${Buffer.byteLength(body)}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}
