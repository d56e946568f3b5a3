/** A proxy in front of the daemon that breaks connections in the ways that networks do. */
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Fault =
  /** No fault. */
  | "pass"
  /** The connection is cut before the daemon sees anything of the request. */
  | "cut-before"
  /** The daemon carries the request out; the connection is cut before its answer. */
  | "cut-after"
  /** The connection is cut in the middle of the daemon's answer. */
  | "cut-within"
  /** The request vanishes: nothing reaches the daemon, and nothing ever comes back. */
  | "half-open"
  /** The daemon carries the request out; its answer vanishes. */
  | "half-open-after"
  /** The answer comes in drops, over about a second. */
  | "slow"
  /** 503 of the envelope, without the daemon. */
  | "503"
  /** 502 without an envelope, as of something that stands in between. */
  | "502";

export interface SeenRequest {
  method: string;
  path: string;
  idempotencyKey: string | undefined;
  fault: Fault;
}

export interface FaultProxy {
  /** The REST root through the proxy. */
  base: string;
  /** Every request that arrived, whatever became of it. */
  seen: SeenRequest[];
  /** What the next requests meet, one each; what follows passes. */
  next(...faults: Fault[]): void;
  /** What each request meets, while `next` names nothing. */
  always(fault: (request: SeenRequest) => Fault): void;
  close(): Promise<void>;
}

/** @param target the daemon's origin, asked for at each request */
export async function startFaultProxy(target: () => string): Promise<FaultProxy> {
  const seen: SeenRequest[] = [];
  const queue: Fault[] = [];
  let otherwise: (request: SeenRequest) => Fault = () => "pass";

  const server: Server = createServer(async (req, res) => {
    const request: SeenRequest = {
      method: req.method!,
      path: req.url!,
      idempotencyKey: req.headers["idempotency-key"] as string | undefined,
      fault: "pass",
    };
    request.fault = queue.shift() ?? otherwise(request);
    seen.push(request);
    res.on("error", () => {});
    try {
      await meet(request.fault, req, res, target());
    } catch {
      req.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    next: (...faults) => void queue.push(...faults),
    always: (fault) => {
      otherwise = fault;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function meet(fault: Fault, req: IncomingMessage, res: ServerResponse, origin: string): Promise<void> {
  switch (fault) {
    case "cut-before":
      return void req.socket.destroy();
    case "half-open":
      return;
    case "503":
      return refuse(res, 503, { code: "UNAVAILABLE", message: "not now" });
    case "502":
      return void res.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
  }
  const answer = await ask(req, res, origin);
  const { status, headers, body } = answer;
  switch (fault) {
    case "cut-after":
      return void req.socket.destroy();
    case "half-open-after":
      return;
    case "cut-within":
      res.writeHead(status, headers).write(body.subarray(0, body.length / 2));
      await sleep(50);
      return void req.socket.destroy();
    case "slow":
      res.writeHead(status, headers);
      for (const drop of drops(body, 10)) {
        res.write(drop);
        await sleep(100);
      }
      return void res.end();
    default:
      return void res.writeHead(status, headers).end(body);
  }
}

function refuse(res: ServerResponse, status: number, envelope: object): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(envelope));
}

function drops(body: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, n) =>
    body.subarray(n * size, (n + 1) * size),
  );
}

/** The daemon's answer, read to its end. */
async function ask(
  req: IncomingMessage,
  res: ServerResponse,
  origin: string,
): Promise<{ status: number; headers: Record<string, string | string[]>; body: Buffer }> {
  const { host: _, connection: __, ...headers } = req.headers;
  return new Promise((resolve, reject) => {
    const onward = forward(`${origin}${req.url}`, { method: req.method, headers, agent: false });
    onward.once("error", reject);
    // A client that goes away ends what the daemon holds for it.
    res.once("close", () => onward.destroy());
    onward.once("response", async (answer) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk as Buffer);
        const { connection: _c, "transfer-encoding": _t, ...kept } = answer.headers;
        resolve({
          status: answer.statusCode!,
          headers: kept as Record<string, string | string[]>,
          body: Buffer.concat(chunks),
        });
      } catch (error) {
        reject(error);
      }
    });
    req.pipe(onward);
  });
}
