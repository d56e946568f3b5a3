/**
 * NATS JetStream with file storage: acknowledged publishes, and a pull consumer with explicit
 * acknowledgement.
 */

import { writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { findProgram, freePort, launch, type Peer } from "./peer.js";

export const nats: Peer = {
  name: "NATS JetStream",
  durability: "written to a file, no fsync a message",
  async start(folder) {
    const command = findProgram("nats-server");
    if (!command) return "nats-server is not installed";
    const port = await freePort();
    const config = join(folder, "nats.conf");
    await writeFile(config, `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}" }\n`);
    return launch({ command, args: ["-c", config], port });
  },
  async connect(url, run, pair) {
    const [sender, receiver] = [new NatsClient(url), new NatsClient(url)];
    // Every pair creates the same stream. Creating an existing stream with the same settings succeeds.
    const stream = `run${run}`;
    await receiver.api(`STREAM.CREATE.${stream}`, {
      name: stream,
      subjects: [`${stream}.>`],
      storage: "file",
    });
    const subject = `${stream}.${pair}`;
    const consumer = `pair${pair}`;
    const config = { durable_name: consumer, ack_policy: "explicit", filter_subject: subject };
    await receiver.api(`CONSUMER.DURABLE.CREATE.${stream}.${consumer}`, { stream_name: stream, config });
    const pull = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
    return {
      async exchange(text) {
        const received = receiver.request(pull, "1");
        await sender.request(subject, text);
        receiver.publish((await received).reply!, "+ACK");
      },
      close() {
        sender.close();
        receiver.close();
      },
    };
  },
};

interface Message {
  reply: string | undefined;
  body: string;
}

let inboxes = 0;

/** A NATS client with one connection and one request at a time. */
export class NatsClient {
  private readonly socket: Socket;
  private readonly inbox = `_INBOX.${process.pid}.${inboxes++}`;
  private buffer = "";
  private waiting: ((message: Message) => void) | undefined;
  private onPong = () => {};

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname).setNoDelay(true);
    this.socket.setEncoding("latin1");
    this.socket.on("data", (chunk: string) => this.receive(chunk));
    this.socket.on("error", () => undefined);
    this.socket.write(`CONNECT {"verbose":false,"pedantic":false}\r\nSUB ${this.inbox} 1\r\n`);
  }

  publish(subject: string, body: string, reply = ""): void {
    this.socket.write(`PUB ${subject} ${reply && `${reply} `}${Buffer.byteLength(body)}\r\n${body}\r\n`);
  }

  request(subject: string, body: string): Promise<Message> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.publish(subject, body, this.inbox);
    });
  }

  /** Calls the JetStream API. */
  async api(subject: string, body: object): Promise<void> {
    const answer = await this.request(`$JS.API.${subject}`, JSON.stringify(body));
    const { error } = JSON.parse(answer.body) as { error?: { description: string } };
    if (error) throw new Error(`${subject}: ${error.description}`);
  }

  /** Answers each request with the text that it contains. */
  echo(subject: string): void {
    this.waiting = ({ reply, body }) => this.publish(reply!, body);
    this.socket.write(`SUB ${subject} 2\r\n`);
  }

  /** Resolves when the server has processed all commands so far. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.onPong = resolve;
      this.socket.write("PING\r\n");
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: string): void {
    this.buffer += chunk;
    for (;;) {
      const end = this.buffer.indexOf("\r\n");
      if (end < 0) return;
      const line = this.buffer.slice(0, end);
      if (line.startsWith("MSG ")) {
        const words = line.split(" ");
        const length = Number(words.at(-1));
        if (this.buffer.length < end + 2 + length + 2) return;
        const body = this.buffer.slice(end + 2, end + 2 + length);
        this.buffer = this.buffer.slice(end + 4 + length);
        this.waiting?.({ reply: words.length === 5 ? words[3] : undefined, body });
        continue;
      }
      if (line === "PONG") this.onPong();
      if (line === "PING") this.socket.write("PONG\r\n");
      this.buffer = this.buffer.slice(end + 2);
    }
  }
}
