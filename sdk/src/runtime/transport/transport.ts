/** The interface between the client and the runtime's HTTP client. */
import type { Request } from "./request.js";

/** Headers as undici returns them. */
export type RawHeaders = Record<string, string | string[] | undefined>;

export interface TransportResponse {
  status: number;
  headers: Headers | RawHeaders;
  /** The body's chunks. If the reader stops early, the transport closes or drains the connection. */
  body: AsyncIterable<Uint8Array>;
}

/** Sends requests to the service. */
export interface Transport {
  /**
   * Sends a request without retries. Rejects with a `ConnectionFault` if the connection fails. If the signal
   * aborts, the request rejects, or the body's reader gets an error.
   */
  request(request: Request, signal: AbortSignal): Promise<TransportResponse>;
  /** Waits for pending requests, then closes the connections. Later requests reject. */
  close(): Promise<void>;
}
