/** A mock of the service with msw, for responses that a real daemon rarely or never returns. */
import type { RequestHandler } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";
import {
  Wireroom,
  WireroomDashboard,
  type WireroomDashboardOptions,
  type WireroomOptions,
} from "../../sdk/src/index.js";

export interface MockService {
  /** The requests of the current test. */
  readonly requests: readonly Request[];
  /** Adds handlers, such as those of `wireroomHandlers`, for the rest of the current test. */
  use(...handlers: RequestHandler[]): void;
  agent(options?: WireroomOptions): Wireroom;
  dashboard(options?: WireroomDashboardOptions): WireroomDashboard;
}

const BASE_URL = "http://wireroom.test/v1";

/**
 * Mocks the service within the calling `describe`. Requests without a handler are not intercepted. msw
 * replaces the global `fetch` but not undici's pool, so the clients use the global `fetch`.
 */
export function mockService(): MockService {
  const server = setupServer();
  const requests: Request[] = [];

  server.events.on("request:start", ({ request }) => void requests.push(request));

  beforeAll(() => server.listen({ onUnhandledRequest: "bypass" }));
  afterEach(() => {
    server.resetHandlers();
    requests.length = 0;
  });
  afterAll(() => server.close());

  const transport = { baseUrl: BASE_URL, fetch: globalFetch };
  return {
    requests,
    use: (...handlers) => server.use(...handlers),
    agent: (options) => new Wireroom({ apiKey: "wr_x", ...transport, ...options }),
    dashboard: (options) => new WireroomDashboard({ idToken: "x", ...transport, ...options }),
  };
}

/** Reads the global `fetch` at each call, because msw replaces it. */
const globalFetch: typeof fetch = (input, init) => fetch(input, init);
