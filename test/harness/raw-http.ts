/** Sends raw bytes over a TCP connection, for requests that HTTP clients refuse to send. */
import { connect, type Socket } from "node:net";
import { expect } from "vitest";

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface ReadBody {
  bytes: Buffer;
  /** Index of the byte after the body. */
  end: number;
}

export class RawConnection {
  private received = Buffer.alloc(0);
  private notify: () => void = () => {};
  private ended = false;

  private constructor(readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.notify();
    });
    socket.on("close", () => {
      this.ended = true;
      this.notify();
    });
    socket.on("error", () => undefined);
  }

  static open(origin: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new RawConnection(socket)));
      socket.once("error", reject);
    });
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** Reads the next response. Returns undefined if the connection ends first. */
  async readResponse(): Promise<RawResponse | undefined> {
    for (;;) {
      const parsed = this.parseResponse();
      if (parsed) return parsed;
      if (this.ended) return undefined;
      await new Promise<void>((resolve) => {
        this.notify = resolve;
      });
    }
  }

  /** Reads all responses until the daemon closes the connection. */
  async readToEnd(): Promise<RawResponse[]> {
    const responses: RawResponse[] = [];
    for (;;) {
      const response = await this.readResponse();
      if (!response) return responses;
      responses.push(response);
    }
  }

  /** Bytes that were received, but are not a complete response. */
  get rest(): string {
    return this.received.toString("latin1");
  }

  close(): void {
    this.socket.destroy();
  }

  private parseResponse(): RawResponse | undefined {
    const end = this.received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [first = "", ...lines] = this.received.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const body =
      headers["transfer-encoding"] === "chunked"
        ? this.readChunks(end + 4)
        : this.readBytes(end + 4, headers);
    if (!body) return undefined;
    this.received = this.received.subarray(body.end);
    return { status: Number(first.split(" ")[1]), headers, text: body.bytes.toString() };
  }

  private readBytes(start: number, headers: Record<string, string>): ReadBody | undefined {
    const end = start + Number(headers["content-length"] ?? 0);
    return this.received.length < end ? undefined : { bytes: this.received.subarray(start, end), end };
  }

  /** Throws if the bytes are not valid chunks. */
  private readChunks(start: number): ReadBody | undefined {
    const chunks: Buffer[] = [];
    for (let at = start; ; ) {
      const lineEnd = this.received.indexOf("\r\n", at);
      if (lineEnd < 0) return undefined;
      const size = this.received.subarray(at, lineEnd).toString("latin1");
      if (!/^[0-9a-f]+$/i.test(size)) throw new Error(`no chunk size: ${JSON.stringify(size.slice(0, 100))}`);
      const end = lineEnd + 2 + Number.parseInt(size, 16);
      if (this.received.length < end + 2) return undefined;
      if (this.received.toString("latin1", end, end + 2) !== "\r\n")
        throw new Error("the chunk does not end with CR LF");
      chunks.push(this.received.subarray(lineEnd + 2, end));
      at = end + 2;
      if (size === "0") return { bytes: Buffer.concat(chunks), end: at };
    }
  }
}

/**
 * Waits for the response to another request. The daemon has then also read everything that other connections
 * sent earlier.
 */
export async function answersAnother({ origin }: { origin: string }): Promise<void> {
  await (await fetch(`${origin}/healthz`)).text();
}

/** Waits until a stopping daemon accepts no more connections. */
export async function acceptsNothing({ origin }: { origin: string }): Promise<void> {
  const isOpen = async () => {
    try {
      await (await fetch(`${origin}/healthz`)).text();
      return true;
    } catch {
      return false;
    }
  };
  await expect.poll(isOpen).toBe(false);
}

/** Sends one request over a new connection. Returns the response. */
export async function sendRawRequest(
  origin: string,
  bytes: string | Uint8Array,
): Promise<RawResponse | undefined> {
  const connection = await RawConnection.open(origin);
  try {
    return await connection.send(bytes).readResponse();
  } finally {
    connection.close();
  }
}
