/**
 * Measures the console in Chromium: its first view on a slow processor, and the frames while a list of 10,000
 * wires is scrolled.
 */
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../test/harness/launch-chromium.js";
import { startOidcIssuer } from "../../test/harness/oidc-issuer.js";
import { medianMetric } from "../measure/compare.js";
import type { BenchEnvironment } from "../measure/environment.js";
import type { Report } from "../measure/report.js";
import { median, percentile } from "../measure/statistics.js";
import { startDaemon } from "../servers/daemon.js";
import type { Server } from "../servers/process.js";
import { answer } from "./requests.js";
import type { Row } from "./row.js";

const WIRES = 10_000;
/** Posts at the same time while the list is filled. */
const POSTERS = 64;
const SIZE = { width: 1_440, height: 900 };
/** The processor is slowed down by this factor for the first view. */
const SLOWDOWN = 4;
/** Speed of the scrolling in pixels per second: a fast wheel. */
const SPEED = 7_000;
const EMPTY = "<!doctype html><title>Empty</title><h1>Empty</h1>";

/** A human with a handle, and a public space with many wires. */
interface Data {
  server: Server;
  idToken: string;
}

async function fill(bench: BenchEnvironment): Promise<Data> {
  const issuer = await startOidcIssuer();
  bench.atEnd(() => issuer.close());
  await issuer.addKey("ES256");
  const identity = ["--oidc-issuer", issuer.url, "--oidc-audience", issuer.audience];
  // With a client id, the daemon serves the console. Nobody signs in with it, because `openTab` supplies the
  // token.
  const server = await startDaemon(undefined, { args: [...identity, "--oidc-client-id", "console"] });
  bench.atEnd(() => server.stop());
  const idToken = await issuer.token({ claims: { sub: "reader", email: "reader@example.com" } });
  const call = async (token: string, method: "GET" | "POST", path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return JSON.parse(
      await answer(server, { method, path: `/v1${path}`, headers, body: JSON.stringify(body) }),
    );
  };
  const { id } = await call(idToken, "POST", "/handles", { slug: "reader" });
  const { key } = await call(idToken, "POST", "/keys", { handle_id: id });
  await call(key, "POST", "/spaces", { slug: "large", visibility: "public" });
  const count = bench.settings.wires ?? WIRES;
  for (let sent = 0; sent < count; sent += POSTERS) {
    const batch = Array.from({ length: Math.min(POSTERS, count - sent) }, (_, n) => {
      const text = `Wire ${sent + n}: ${"The ferry to the islands leaves on time today. ".repeat(1 + (n % 6))}`;
      return call(key, "POST", "/wires", { to: "#large", text });
    });
    await Promise.all(batch);
  }
  return { server, idToken };
}

/**
 * Opens a tab with an empty cache, in which the human is signed in. The tab ignores the page's
 * Content-Security-Policy, which would block the measuring scripts.
 */
async function openTab(browser: Browser, { idToken }: Data): Promise<Page> {
  const page = await (await browser.newContext({ viewport: SIZE, bypassCSP: true })).newPage();
  await page.route("**/identity/console/session", (route) =>
    route.fulfill({ json: { id_token: idToken, expires_in: 3_600 } }),
  );
  await page.route("**/empty", (route) => route.fulfill({ contentType: "text/html", body: EMPTY }));
  return page;
}

/** Returns the milliseconds from the request for a page until a text is visible. */
async function firstView(browser: Browser, data: Data, path: string, text: string): Promise<number> {
  const page = await openTab(browser, data);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  // Record the time at which the text is painted, by the clock of the page.
  await page.addInitScript(`(() => {
    const look = () => document.body?.innerText.includes(${JSON.stringify(text)})
      ? requestAnimationFrame(() => { window.shownAt = performance.now(); }) : requestAnimationFrame(look);
    look();
  })()`);
  await page.goto(`${data.server.url}${path}`);
  const shown = await page.waitForFunction("window.shownAt");
  const time = await shown.jsonValue();
  await page.context().close();
  return time as number;
}

/**
 * Reads all pages of the feed, scrolls through it, and returns the milliseconds of the frames in ascending
 * order.
 */
async function frames(bench: BenchEnvironment, browser: Browser, data: Data): Promise<Float64Array> {
  const page = await openTab(browser, data);
  await page.goto(`${data.server.url}/console/spaces/large`);
  const more = page.getByRole("button", { name: "Show more" });
  await more.waitFor();
  while ((await more.count()) > 0) {
    await more.click();
    await page.waitForFunction(`!document.querySelector("button[aria-busy=true]")`);
  }
  const seconds = bench.settings.seconds;
  const times = await page.evaluate<number[]>(`new Promise((resolve) => {
    const times = [];
    const start = performance.now();
    let last = start;
    const step = (now) => {
      times.push(now - last);
      scrollTo(0, (now - start) * ${SPEED / 1_000});
      last = now;
      if (now - start < ${seconds * 1_000}) requestAnimationFrame(step);
      else resolve(times.slice(1));
    };
    scrollTo(0, 0);
    requestAnimationFrame(step);
  })`);
  await page.context().close();
  return Float64Array.from(times).sort();
}

async function run(bench: BenchEnvironment): Promise<Report[]> {
  const browser = await launchChromium();
  if (!browser) return [{ title: "The console", findings: [], figures: [], note: "no browser" }];
  bench.atEnd(() => browser.close());
  const data = await fill(bench);
  const views: { console: number; empty: number }[] = [];
  for (let round = 0; round <= bench.settings.rounds; round++) {
    views.push({
      console: await firstView(browser, data, "/console/handles", "@reader"),
      empty: await firstView(browser, data, "/empty", "Empty"),
    });
  }
  // The first round is not counted: the browser and the daemon load code in it.
  const counted = views.slice(1);
  const rounds: Float64Array[] = [];
  for (let round = 0; round < bench.settings.rounds; round++) rounds.push(await frames(bench, browser, data));
  const of = (share: number) => rounds.map((sorted) => percentile(sorted, share));
  return [
    {
      title: `First view of the console, processor ÷ ${SLOWDOWN}, empty cache`,
      findings: [
        medianMetric(
          "time",
          "ms",
          counted.map((view) => view.console),
          { atMost: 1_000 },
        ),
        medianMetric(
          "against an empty page",
          "×",
          counted.map((view) => view.console / view.empty),
        ),
      ],
      figures: [
        { name: "the handles in the console", p50: median(counted.map((view) => view.console)) },
        { name: "an empty page", p50: median(counted.map((view) => view.empty)) },
      ],
    },
    {
      title: `Frames while a list of ${bench.settings.wires ?? WIRES} wires is scrolled`,
      findings: [medianMetric("p99 of the time between frames", "ms", of(0.99), { atMost: 34 })],
      figures: [
        { name: "the feed of a space", p50: median(of(0.5)), p99: median(of(0.99)), p999: median(of(0.999)) },
      ],
    },
  ];
}

export const consoleRows: Row[] = [{ name: "console", run }];
