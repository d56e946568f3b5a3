/** HTTP as bytes on one connection: for requests that no well-behaved client sends. */
import { connect, type Socket } from "node:net";

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export class RawConnection {
  private received = Buffer.alloc(0);
  private wake: () => void = () => {};
  private ended = false;

  private constructor(readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    socket.on("close", () => {
      this.ended = true;
      this.wake();
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

  /** The next response, whose length is in Content-Length. Undefined where the connection ends first. */
  async reply(): Promise<RawReply | undefined> {
    for (;;) {
      const parsed = this.take();
      if (parsed) return parsed;
      if (this.ended) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private take(): RawReply | undefined {
    const end = this.received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [first = "", ...lines] = this.received.subarray(0, end).toString("latin1").split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers["content-length"] ?? 0);
    if (this.received.length < end + 4 + length) return undefined;
    const text = this.received.subarray(end + 4, end + 4 + length).toString();
    this.received = this.received.subarray(end + 4 + length);
    return { status: Number(first.split(" ")[1]), headers, text };
  }
}

/** One exchange on a connection of its own. */
export async function rawExchange(origin: string, bytes: string | Uint8Array): Promise<RawReply | undefined> {
  const connection = await RawConnection.open(origin);
  try {
    return await connection.send(bytes).reply();
  } finally {
    connection.close();
  }
}
