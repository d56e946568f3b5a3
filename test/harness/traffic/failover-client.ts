/** An HTTP client that sends each request to the next of several daemons, and survives daemons that fail. */
import type { Body, TestDaemon } from "../daemon.js";
import type { DeliveryLedger } from "./ledger.js";

/** Longer than the daemon's own timeout for a database that does not respond. */
const TIMEOUT_MS = 30_000;

export interface DaemonResponse {
  status: number;
  body: Body;
  /** Index of the daemon in the list of daemons. */
  daemonIndex: number;
}

export class FailoverClient {
  private requestCount = Math.floor(Math.random() * 3);

  constructor(
    private readonly daemons: readonly TestDaemon[],
    private readonly ledger: DeliveryLedger,
    private readonly key: string,
  ) {}

  /**
   * Sends one request to the next daemon. Returns `undefined` after a 503, a timeout or a broken connection;
   * the next call uses another daemon. Adds any other error response except 429 to the ledger as a violation.
   */
  async request(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<DaemonResponse | undefined> {
    const daemonIndex = this.requestCount++ % this.daemons.length;
    try {
      const response = await fetch(`${this.daemons[daemonIndex]!.base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { status, ok } = response;
      const responseBody: Body = await response.json();
      if (ok || status === 429) return { status, body: responseBody, daemonIndex };
      if (status !== 503)
        this.ledger.violations.push(`${method} ${path}: ${status} ${JSON.stringify(responseBody)}`);
    } catch (error) {
      if (!(error instanceof TypeError) && (error as Error).name !== "TimeoutError") throw error;
    }
    this.ledger.failedRequests[daemonIndex] = (this.ledger.failedRequests[daemonIndex] ?? 0) + 1;
    await sleep(100);
    return undefined;
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
