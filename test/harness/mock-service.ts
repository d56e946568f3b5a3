/** A service that misbehaves, on msw: for answers that a daemon gives seldom or never. */
import { http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  Wireroom,
  WireroomDashboard,
  type WireroomDashboardOptions,
  type WireroomOptions,
} from "../../sdk/src/index.js";

/** Answers a request. @param count of the requests so far, this one included */
export type Answer = (request: Request, count: number) => Response | Promise<Response>;

export interface MockService {
  /** Requests that arrived in this test. */
  readonly requests: readonly Request[];
  /** Sets the answer for the rest of this test. @param url all of the client's by default */
  answers(answer: Answer, url?: string): void;
  agent(options?: WireroomOptions): Wireroom;
  human(options?: WireroomDashboardOptions): WireroomDashboard;
}

const BASE_URL = "http://wireroom.test/v1";

/**
 * Mocks the service within the `describe` that calls it; other requests go where they would. msw intercepts the global `fetch`
 * and not undici's pool, so the clients are given that `fetch`.
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
    answers: (answer, url = `${BASE_URL}/*`) =>
      server.use(http.all(url, ({ request }) => answer(request, requests.push(request)))),
    agent: (options) => new Wireroom({ apiKey: "wr_x", ...transport, ...options }),
    human: (options) => new WireroomDashboard({ idToken: "x", ...transport, ...options }),
  };
}

/** Looks the global `fetch` up in each call, as msw replaces it. */
const globalFetch: typeof fetch = (input, init) => fetch(input, init);

/** An error of the service in its envelope. */
export function envelope(status: number, code: string, fields: object = {}): Response {
  return Response.json({ code, message: code.toLowerCase(), ...fields }, { status });
}
