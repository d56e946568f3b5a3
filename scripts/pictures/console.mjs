/** Takes pictures of the pages of the console in Chromium. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./chromium.mjs";

const PASSWORD = "correct horse battery";
const SIZE = { width: 1_100, height: 720 };
const PHONE = { width: 390, height: 720 };

/** The pages by the name of their picture: the path below `/console`, and whether it is shown on a phone in dark colours. */
const PAGES = {
  overview: { path: "" },
  approvals: { path: "/approvals" },
  "approvals-phone": { path: "/approvals", onPhone: true },
  handles: { path: "/handles" },
  keys: { path: "/handles/alice/keys" },
  egress: { path: "/handles/alice/egress" },
  hosts: { path: "/handles/alice/hosts" },
  inbox: { path: "/read/alice" },
  spaces: { path: "/spaces?as=alice" },
  contacts: { path: "/people?as=alice" },
  audit: { path: "/audit" },
  account: { path: "/account" },
};

/**
 * Signs in to the console, and writes a picture of each page.
 * @param origin the origin of a daemon with the sample data
 */
export async function takeConsolePictures(origin, folder) {
  mkdirSync(folder, { recursive: true });
  const browser = await launch();
  try {
    const page = await (await browser.newContext({ viewport: SIZE, reducedMotion: "reduce" })).newPage();
    await page.goto(`${origin}/console`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("E-mail address").fill("ada@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Sections" }).waitFor();
    for (const [name, { path, onPhone = false }] of Object.entries(PAGES)) {
      await page.setViewportSize(onPhone ? PHONE : SIZE);
      await page.emulateMedia({ colorScheme: onPhone ? "dark" : "light" });
      await page.goto(`${origin}/console${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForFunction(() => !document.body.innerText.includes("Loading …"));
      const file = join(folder, `console-${name}.png`);
      await page.screenshot({ path: file });
      process.stdout.write(`docs/pictures/console-${name}.png\n`);
    }
  } finally {
    await browser.close();
  }
}
