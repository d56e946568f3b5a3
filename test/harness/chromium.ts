/** The browser of a test file. */
import type { Browser } from "playwright-core";
import { afterAll } from "vitest";
import { launchChromium } from "./launch-chromium.js";

/** Starts the browser of a test file, and closes it after the tests of the file. Returns undefined if the machine has none. */
export async function openChromium(): Promise<Browser | undefined> {
  const browser = await launchChromium();
  if (browser) afterAll(() => browser.close());
  else process.stdout.write("SKIPPED: tests of pages need Chrome or Edge, and this machine has neither\n");
  return browser;
}
