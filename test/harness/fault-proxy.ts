/** A proxy before the daemon that injects network faults. */
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
  /** Forwards the request and the response. */
  | "pass"
  /** Cuts the connection before the daemon gets the request. */
  | "cut-before"
  /** The daemon processes the request, but the connection is cut before its response. */
  | "cut-after"
  /** Cuts the connection in the middle of the daemon's response. */
  | "cut-within"
  /** Keeps the connection open, but the request never reaches the daemon. */
  | "half-open"
  /** The daemon processes the request, but its response is lost and the connection stays open. */
  | "half-open-after"
  /** Sends the response in small parts, over about one second. */
  | "slow"
  /** Returns 503 with the error envelope, without the daemon. */
  | "503"
  /** Returns 502 without the error envelope, as other proxies do. */
  | "502"
  /** Returns 403 without the error envelope, as a firewall does. */
  | "403";

export interface ProxiedRequest {
  method: string;
  path: string;
  idempotencyKey: string | undefined;
  fault: Fault;
}

export interface FaultProxy {
  /** The base URL of the REST API through the proxy. */
  base: string;
  /** All requests that arrived, including those with faults. */
  requests: ProxiedRequest[];
  /** Sets the faults of the next requests, one fault for each request. Later requests get the default. */
  queueFaults(...faults: Fault[]): void;
  /** Sets the fault of each request for which no fault is queued. */
  setDefaultFault(fault: (request: ProxiedRequest) => Fault): void;
  close(): Promise<void>;
}

/** @param target returns the daemon's origin, which may change after a restart */
export async function startFaultProxy(target: () => string): Promise<FaultProxy> {
  const requests: ProxiedRequest[] = [];
  const queue: Fault[] = [];
  let otherwise: (request: ProxiedRequest) => Fault = () => "pass";

  const server: Server = createServer(async (req, res) => {
    const request: ProxiedRequest = {
      method: req.method!,
      path: req.url!,
      idempotencyKey: req.headers["idempotency-key"] as string | undefined,
      fault: "pass",
    };
    request.fault = queue.shift() ?? otherwise(request);
    requests.push(request);
    res.on("error", () => {});
    try {
      await applyFault(request.fault, req, res, target());
    } catch {
      req.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    queueFaults: (...faults) => void queue.push(...faults),
    setDefaultFault: (fault) => {
      otherwise = fault;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function applyFault(
  fault: Fault,
  req: IncomingMessage,
  res: ServerResponse,
  origin: string,
): Promise<void> {
  switch (fault) {
    case "cut-before":
      return void req.socket.destroy();
    case "half-open":
      return;
    case "503":
      return respondWithEnvelope(res, 503, { code: "UNAVAILABLE", message: "not now" });
    case "502":
      return void res.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
    case "403":
      return void res.writeHead(403, { "content-type": "text/html" }).end("<h1>Forbidden</h1>");
  }
  const answer = await forwardToDaemon(req, res, origin);
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
      for (const drop of splitEvenly(body, 10)) {
        res.write(drop);
        await sleep(100);
      }
      return void res.end();
    default:
      return void res.writeHead(status, headers).end(body);
  }
}

function respondWithEnvelope(res: ServerResponse, status: number, envelope: object): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(envelope));
}

function splitEvenly(body: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / count));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, n) =>
    body.subarray(n * size, (n + 1) * size),
  );
}

/** Reads the complete response of the daemon. */
async function forwardToDaemon(
  req: IncomingMessage,
  res: ServerResponse,
  origin: string,
): Promise<{ status: number; headers: Record<string, string | string[]>; body: Buffer }> {
  const { host: _, connection: __, ...headers } = req.headers;
  return new Promise((resolve, reject) => {
    const onward = forward(`${origin}${req.url}`, { method: req.method, headers, agent: false });
    onward.once("error", reject);
    // If the client disconnects, the request to the daemon is aborted.
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
