/** A transport that uses `fetch`: the runtime's own, or a function from the user. */
import { ConnectionFault } from "./fault.js";
import type { Transport } from "./transport.js";

interface WebStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
}

/** A body stream: a web stream or a Node stream. */
export type ByteStream = AsyncIterable<Uint8Array> | WebStream;

/** The subset of the `fetch` API that the SDK needs. The global `fetch` matches this type. */
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
  /** The body as a stream, so that the SDK can limit its size. If absent, the SDK calls `text()`. */
  body?: ByteStream | null;
}>;

type FetchResponse = Awaited<ReturnType<Fetch>>;

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

/** Web streams are not iterable in some browsers. */
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
          // Ignore the error: cancelling a broken stream rejects, but nothing is left to cancel.
          await reader.cancel().catch(() => {});
          return { done: true, value: undefined };
        },
      };
    },
  };
}
