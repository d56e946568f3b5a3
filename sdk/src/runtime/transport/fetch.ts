/** The transport for every runtime that has `fetch`, and for the `fetch` function of a user. */
import { ConnectionFault } from "./fault.js";
import type { Transport } from "./transport.js";

/** The subset of a web stream that the SDK needs. */
interface WebStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
}

/** A body as a stream: a web stream, or one of Node. */
export type ByteStream = AsyncIterable<Uint8Array> | WebStream;

/** The subset of the `fetch` API that the SDK needs. The global `fetch` is compatible. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
    redirect: "manual";
  },
) => Promise<{
  status: number;
  headers: Headers;
  text(): Promise<string>;
  /** The body as a stream, so that its size can be limited. Without it, `text()` is called. */
  body?: ByteStream | null;
}>;

type FetchResponse = Awaited<ReturnType<Fetch>>;

/** Returns a transport that uses a `fetch` function. */
export function fetchTransport(baseUrl: URL, fetch: Fetch): Transport {
  const root = baseUrl.href;
  return {
    async request({ method, path, headers, body }, signal) {
      const init = { method, headers, signal, redirect: "manual" as const };
      let response: FetchResponse;
      try {
        response = await fetch(root + path, body === undefined ? init : { ...init, body });
      } catch (error) {
        throw new ConnectionFault(error);
      }
      return { status: response.status, headers: response.headers, body: chunksOf(response) };
    },
    close: async () => {},
  };
}

function chunksOf(response: FetchResponse): AsyncIterable<Uint8Array> {
  const { body } = response;
  if (!body) return wholeText(response);
  return Symbol.asyncIterator in body ? body : readerChunks(body);
}

async function* wholeText(response: FetchResponse): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(await response.text());
}

/** Iterates over a web stream that is not iterable, as in some browsers. */
function readerChunks(body: WebStream): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const reader = body.getReader();
      return {
        async next() {
          const { done, value } = await reader.read();
          return done ? { done, value: undefined } : { done: false, value: value! };
        },
        async return() {
          // A stream that broke has nothing to cancel, and rejects.
          await reader.cancel().catch(() => {});
          return { done: true, value: undefined };
        },
      };
    },
  };
}
