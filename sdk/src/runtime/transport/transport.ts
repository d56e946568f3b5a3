/** The interface between the client and the runtime's HTTP client. */
import type { Request } from "./request.js";

/** Headers as undici returns them. */
export type RawHeaders = Record<string, string | string[] | undefined>;

/** A response whose body has not been read. */
export interface TransportResponse {
  status: number;
  headers: Headers | RawHeaders;
  /** The chunks of the body. Returning the iterator early closes the connection or drains it. */
  body: AsyncIterable<Uint8Array>;
}

/** Sends requests to the service. */
export interface Transport {
  /**
   * Sends a request once. Rejects with a `ConnectionFault` if the connection fails, and when the signal
   * aborts, which also aborts the body.
   */
  request(request: Request, signal: AbortSignal): Promise<TransportResponse>;
  /** Waits for pending requests and closes the connections. Later requests reject. */
  close(): Promise<void>;
}
