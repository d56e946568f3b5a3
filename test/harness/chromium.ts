/** The browser of the test files of a worker. */
import type { Browser } from "playwright-core";
import { afterAll } from "vitest";
import { launchChromium } from "./launch-chromium.js";

let launched: Promise<Browser | undefined> | undefined;

/**
 * Returns the browser that the files of a worker share. The browser ends with the worker, because it reads
 * from a pipe of the worker.
 */
async function sharedChromium(): Promise<Browser | undefined> {
  const browser = await launched;
  if (browser?.isConnected()) return browser;
  launched = launchChromium();
  return launched;
}

/**
 * Opens the browser for a test file, and closes its pages after the tests of the file. Returns undefined if
 * the machine has none.
 */
export async function openChromium(): Promise<Browser | undefined> {
  const browser = await sharedChromium();
  if (browser)
    afterAll(async () => void (await Promise.all(browser.contexts().map((context) => context.close()))));
  else process.stdout.write("SKIPPED: tests of pages need Chrome or Edge, and this machine has neither\n");
  return browser;
}
