/** A mock of the service with msw, for responses that a real daemon rarely or never returns. */
import { http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  Wireroom,
  WireroomDashboard,
  type WireroomDashboardOptions,
  type WireroomOptions,
} from "../../sdk/src/index.js";

/** Returns the response to a request. @param count number of requests so far, including this one */
export type Responder = (request: Request, count: number) => Response | Promise<Response>;

export interface MockService {
  /** The requests of the current test. */
  readonly requests: readonly Request[];
  /** Sets the responses for the rest of the current test. @param url URL pattern; by default all URLs of the client */
  respondWith(answer: Responder, url?: string): void;
  agent(options?: WireroomOptions): Wireroom;
  dashboard(options?: WireroomDashboardOptions): WireroomDashboard;
}

const BASE_URL = "http://wireroom.test/v1";

/**
 * Mocks the service within the calling `describe`. Other requests are not intercepted. msw replaces the global
 * `fetch` but not undici's pool, so the clients use the global `fetch`.
 */
export function mockService(): MockService {
  const server = setupServer();
  const requests: Request[] = [];

  beforeAll(() => server.listen({ onUnhandledRequest: "bypass" }));
  afterEach(() => {
    server.resetHandlers();
    requests.length = 0;
  });
  afterAll(() => server.close());

  const transport = { baseUrl: BASE_URL, fetch: globalFetch };
  return {
    requests,
    respondWith: (answer, url = `${BASE_URL}/*`) =>
      server.use(http.all(url, ({ request }) => answer(request, requests.push(request)))),
    agent: (options) => new Wireroom({ apiKey: "wr_x", ...transport, ...options }),
    dashboard: (options) => new WireroomDashboard({ idToken: "x", ...transport, ...options }),
  };
}

/** Reads the global `fetch` at each call, because msw replaces it. */
const globalFetch: typeof fetch = (input, init) => fetch(input, init);

/** Returns an error response with the service's envelope. */
export function envelope(status: number, code: string, fields: object = {}): Response {
  return Response.json({ code, message: code.toLowerCase(), ...fields }, { status });
}
