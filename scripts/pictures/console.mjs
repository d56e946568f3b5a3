/** Takes pictures of the pages of the console in Chromium. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch } from "./chromium.mjs";

const PASSWORD = "correct horse battery";
const SIZE = { width: 1_100, height: 720 };
const PHONE = { width: 390, height: 720 };

/**
 * The pages by the name of their picture: the path below `/console`, a link to follow from there, and whether
 * the picture shows a phone in dark colours.
 */
const PAGES = {
  approvals: { path: "/approvals" },
  "approvals-phone": { path: "/approvals", onPhone: true },
  handles: { path: "/handles" },
  keys: { path: "/handles/alice/keys" },
  egress: { path: "/handles/alice/egress" },
  hosts: { path: "/handles/alice/hosts" },
  inbox: { path: "/inbox?as=alice" },
  thread: { path: "/inbox?as=alice", row: "Bergen will be dry." },
  search: { path: "/search?as=alice&q=slot" },
  spaces: { path: "/spaces?as=alice" },
  space: { path: "/spaces/quay-slots?as=alice" },
  contacts: { path: "/people?as=alice" },
  audit: { path: "/audit" },
  account: { path: "/account" },
  operator: { path: "/operator/handles/night-owl?as=ledger" },
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
    for (const [name, { path, row, onPhone = false }] of Object.entries(PAGES)) {
      await page.setViewportSize(onPhone ? PHONE : SIZE);
      await page.emulateMedia({ colorScheme: onPhone ? "dark" : "light" });
      await page.goto(`${origin}/console${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await untilLoaded(page);
      if (row) {
        await page.getByText(row).click();
        await page.getByRole("heading", { level: 1, name: "Thread" }).waitFor();
        await untilLoaded(page);
      }
      const file = join(folder, `console-${name}.png`);
      await page.screenshot({ path: file });
      process.stdout.write(`docs/pictures/console-${name}.png\n`);
    }
  } finally {
    await browser.close();
  }
}

/** The facts of an approval are complete when they say what was sent to the recipient before. */
function untilLoaded(page) {
  return page.waitForFunction(() => {
    const recipient = document.querySelector(".details .recipient");
    if (recipient && !/sent/.test(recipient.innerText)) return false;
    return !document.querySelector(".loading") && !/places …/.test(document.body.innerText);
  });
}
