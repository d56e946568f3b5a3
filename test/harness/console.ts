/** Helpers for the console in a real browser: they sign in, and check pages. */
import axe, { type Result, type RunOptions } from "axe-core";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { AgentClient, Client, TestDaemon } from "./daemon.js";
import { PASSWORD } from "./identity-client.js";
import { OAuthHuman } from "./oauth.js";
import { AXE_TAGS, axeRun } from "./page-inspector.js";

export interface Console {
  page: Page;
  email: string;
  /** A client of the same human. */
  owner: Client;
  /** Violations of the Content-Security-Policy, and errors of scripts. */
  complaints: string[];
}

/**
 * Signs a new human up, and opens the console in a new browser context.
 * @param path the path below `/console`
 * @param byForm whether the human signs in on the sign-in page; otherwise a ticket signs in, which is faster
 */
export async function openConsole(
  browser: Browser,
  daemon: TestDaemon,
  { path = "", byForm = false, ...options }: BrowserContextOptions & { path?: string; byForm?: boolean } = {},
): Promise<Console> {
  const human = await OAuthHuman.signUp(daemon);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const idToken = await human.idToken();
  const url = `${daemon.origin}/console${path}`;
  if (byForm) {
    await page.goto(url);
    await signIn(page, human.email);
  } else {
    await page.goto(`${url}${await ticketFragment(daemon, idToken)}`);
    await signedIn(page);
  }
  return { page, email: human.email, owner: daemon.client(idToken), complaints };
}

/** Returns the fragment of a URL that signs in to the console, as `wireroom console` opens it. */
async function ticketFragment({ origin }: TestDaemon, idToken: string): Promise<string> {
  const headers = { authorization: `Bearer ${idToken}` };
  const response = await fetch(`${origin}/identity/console-ticket`, { method: "POST", headers });
  const { url } = (await response.json()) as { url: string };
  return new URL(url).hash;
}

/** Signs in, from the offer of the console or from the sign-in page back to the console. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  if (page.url().includes("/console")) await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("to continue in the console").waitFor();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await signedIn(page);
}

/** Signs out on the page of the account. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Account" }).click();
  await page.getByRole("button", { name: "Sign out of this browser" }).click();
}

/** Waits until the console shows that the human is signed in. */
export async function signedIn(page: Page): Promise<void> {
  await page.getByRole("navigation", { name: "Sections" }).waitFor();
}

/**
 * Returns what is wrong with the shown page at 320 pixels in light colours, and with its contrasts in dark
 * ones.
 */
export async function problemsOf(page: Page): Promise<string[]> {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: 640 });
  const width = await page.evaluate<number>("document.documentElement.scrollWidth");
  if (!(await page.evaluate<boolean>("Boolean(window.axe)"))) await page.evaluate(axe.source);
  const run = async (colorScheme: "light" | "dark", rules: RunOptions) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const violations = await page.evaluate<Result[]>(axeRun(rules));
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`));
  };
  const light = await run("light", { runOnly: AXE_TAGS });
  const dark = await run("dark", { runOnly: { type: "rule", values: ["color-contrast"] } });
  await page.setViewportSize(before);
  return [...(width > 320 ? [`scrolls sideways: ${width} pixels`] : []), ...light, ...dark];
}

/** Creates a handle for the human, with an API key. */
export async function ownedHandle(daemon: TestDaemon, owner: Client, slug: string): Promise<AgentClient> {
  const { body: handle } = await owner.post("/handles", { slug });
  const { body: key } = await owner.post("/keys", { handle_id: handle.id });
  return Object.assign(daemon.client(key.key), { slug, id: handle.id, key: key.key, keyId: key.id, owner });
}

/**
 * Stops the page from sending answers to approvals after five seconds, because a busy machine may need longer
 * to undo them. Lasts until the page is loaded again.
 * @returns a function that sends the answers that wait, and returns their number
 */
export async function holdAnswers(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`{
    const { setTimeout, clearTimeout } = window;
    const held = new Map();
    window.setTimeout = (run, ms, ...rest) => {
      const timer = setTimeout(run, ms === 5000 ? 2 ** 30 : ms, ...rest);
      if (ms === 5000) held.set(timer, run);
      return timer;
    };
    window.clearTimeout = (timer) => {
      held.delete(timer);
      clearTimeout(timer);
    };
    window.sendNow = () => {
      const waiting = [...held];
      for (const [timer, run] of waiting) {
        window.clearTimeout(timer);
        run();
      }
      return waiting.length;
    };
  }`);
  return () => page.evaluate<number>("sendNow()");
}

/** Presses Tab until the element has the focus. Throws if the keyboard alone does not reach it. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const focused = target.page().locator(":focus");
  for (let i = 0; i < 100; i++) {
    if ((await target.and(focused).count()) > 0) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}
