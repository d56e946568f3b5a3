/**
 * The page on which a human connects an application, in a real browser, with whatever an application may
 * claim to be.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ConsentView,
  consentPage,
  contentSecurityPolicy,
  leave,
} from "../../daemon/identity/provider/pages/index.js";
import { openChromium } from "../harness/chromium.js";

const VIEW: ConsentView = {
  clientName: "Claude",
  clientHost: "claude.ai",
  isVerifiedHost: true,
  redirectHost: "claude.ai",
  isOnThisMachine: false,
  email: "alice@example.com",
  handles: [
    { slug: "alice", displayName: "Alice's assistant", isSuspended: false, isOperator: false },
    { slug: "builder", displayName: null, isSuspended: false, isOperator: true },
    { slug: "old-bot", displayName: "Old bot", isSuspended: true, isOperator: false },
  ],
  chosen: "builder",
  consoleUrl: "https://wires.example.com/console",
};

const browser = await openChromium();
let server: Server;
let view: ConsentView;
let received: Record<string, string> | undefined;
/** Where "Use another account" leads; undefined to keep the form. */
let provider: { href: string; host: string } | undefined;

/** Serves the page, and keeps the last form that it receives. */
beforeAll(async () => {
  const app = new Koa();
  app.use(async (ctx) => {
    ctx.state.formToken = "the-token";
    ctx.set("Content-Security-Policy", contentSecurityPolicy([]));
    if (ctx.method === "GET") return consentPage(ctx, view);
    const body = Buffer.concat(await ctx.req.toArray()).toString();
    received = Object.fromEntries(new URLSearchParams(body));
    if (provider && received.action === "switch") return leave(ctx, provider);
    ctx.body = "received";
  });
  server = createServer(app.callback());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => server.close());

/** Opens the page in a new browser profile, and closes it after the work. */
async function opened(
  more: Partial<ConsentView>,
  work: (page: Page) => Promise<void>,
  options: BrowserContextOptions = { javaScriptEnabled: false },
): Promise<void> {
  view = { ...VIEW, ...more };
  received = undefined;
  const context = await browser!.newContext(options);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await work(page);
  await context.close();
}

const press = (page: Page, name: string) => page.getByRole("button", { name }).click();
/** Presses the button that sends the form, and waits for the response. */
async function submit(page: Page, name: string): Promise<void> {
  await press(page, name);
  await page.getByText("received").waitFor();
}
const mainText = (page: Page) => page.getByRole("main").innerText();

describe.skipIf(!browser)("the consent page, without scripts", () => {
  // [C-page-consent]
  it("says who asks, where it leads, and what is possible then", () =>
    opened({}, async (page) => {
      const text = await mainText(page);
      expect(text).toContain("Claude\nclaude.ai");
      expect(text).toContain("Wireroom has checked that its name comes from claude.ai.");
      expect(text).toContain("Your browser then goes to claude.ai.");
      expect(text).toContain("You are signed in as alice@example.com.");
      expect(text).toContain("use your other handles");
      expect(text).toContain(
        "@builder\nAn operator: it can read and remove any wire, and suspend any handle",
      );
    }));

  // [C-page-consent] [C-page-no-script]
  it("sends the preselected handle only when the human presses the button", () =>
    opened({}, async (page) => {
      expect(received).toBeUndefined();
      await submit(page, "Connect");
      expect(received).toEqual({
        form_token: "the-token",
        handle: "builder",
        new_handle: "",
        action: "approve",
      });
    }));

  // [D13-external-sign-in]
  it("leads to an external provider, and on to wherever that redirects", () =>
    opened({}, async (page) => {
      const listen = async (app: Koa, name: string) => {
        const started = createServer(app.callback());
        await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
        const { port } = started.address() as AddressInfo;
        return { url: `http://${name}:${port}/?a=1&b=%27`, close: () => started.close() };
      };
      const end = await listen(
        new Koa().use((ctx) => {
          ctx.body = "the other site";
        }),
        "localhost",
      );
      const start = await listen(
        new Koa().use((ctx) => ctx.redirect(end.url)),
        "127.0.0.1",
      );
      provider = { href: start.url, host: "accounts.example.com" };
      await press(page, "Use another account");
      await page.getByText("the other site").waitFor();
      expect(page.url()).toBe(end.url);
      provider = undefined;
      start.close();
      end.close();
    }));

  it("lets the human choose another handle, but no suspended one", () =>
    opened({}, async (page) => {
      expect(await page.getByLabel("@old-bot").isDisabled()).toBe(true);
      await page.getByLabel("@alice").check();
      await submit(page, "Connect");
      expect(received).toMatchObject({ handle: "alice", action: "approve" });
    }));

  // [C-page-consent] [C-page-keyboard]
  it("shows the field for a new handle once that is chosen", () =>
    opened({}, async (page) => {
      const field = page.getByLabel("Name of the new handle");
      expect(await field.isVisible()).toBe(false);
      await page.getByLabel("A new handle").check();
      await field.fill("claude-home");
      await page.getByLabel("Ask me before it writes to somebody new").check();
      await field.press("Enter");
      await page.getByText("received").waitFor();
      expect(received).toMatchObject({
        ...{ handle: "", new_handle: "claude-home", ask: "yes", action: "approve" },
      });
    }));

  // [C-page-consent]
  it("shows the buttons on the first screen, with five handles", async () => {
    const handles = [1, 2, 3, 4, 5].map((n) => ({ ...VIEW.handles[0]!, slug: `agent-${n}` }));
    for (const viewport of [
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ])
      await opened(
        { handles },
        async (page) => {
          const { y, height } = (await page.getByRole("button", { name: "Connect" }).boundingBox())!;
          expect(y + height).toBeLessThanOrEqual(viewport.height);
        },
        { viewport },
      );
  });

  it("asks for the name of the first handle if there is none", () =>
    opened({ handles: [], chosen: undefined }, async (page) => {
      await press(page, "Connect");
      expect(received).toBeUndefined();
      await page.getByLabel("Name of your first handle").fill("first-one");
      await submit(page, "Connect");
      expect(received).toMatchObject({ handle: "", new_handle: "first-one", action: "approve" });
    }));

  it("selects nothing if there are several handles and none was chosen before", () =>
    opened({ chosen: undefined }, async (page) => {
      await press(page, "Connect");
      expect(received).toBeUndefined();
      await page.getByLabel("@builder").check();
      await submit(page, "Connect");
      expect(received).toMatchObject({ handle: "builder" });
    }));

  it("can be refused without a choice, and lets the human change the account", async () => {
    await opened({ chosen: undefined }, (page) => submit(page, "Refuse"));
    expect(received).toMatchObject({ form_token: "the-token", action: "refuse" });
    await opened({}, (page) => submit(page, "Use another account"));
    expect(received).toEqual({ form_token: "the-token", action: "switch" });
  });

  it("keeps what was entered, and says beside the field what was wrong", () =>
    opened({ newSlug: "Al", problem: "The name is too short." }, async (page) => {
      expect(await page.title()).toMatch(/^Error: /);
      const field = page.getByRole("textbox", { name: "Name of the new handle" });
      expect(await field.inputValue()).toBe("Al");
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await field.getAttribute("aria-describedby")).toBe("new_handle-hint new_handle-problem");
      expect(await page.locator("#new_handle-problem").innerText()).toBe("The name is too short.");
      expect(await page.locator(":focus").getAttribute("name")).toBe("new_handle");
    }));

  // [C-page-consent]
  it("says that a registered application chose its name itself", async () => {
    const remote = { isVerifiedHost: false, clientHost: "claude.example", redirectHost: "claude.example" };
    await opened(remote, async (page) =>
      expect(await mainText(page)).toContain("trust the address claude.example, not the name"),
    );
    const local = { clientHost: "127.0.0.1", redirectHost: "127.0.0.1", isOnThisMachine: true };
    await opened({ ...local, isVerifiedHost: false }, async (page) => {
      expect(await mainText(page)).toContain("It runs on your computer, and chose its name itself.");
      expect(await mainText(page)).toContain("a program on this computer (127.0.0.1)");
    });
    await opened({ ...local, clientHost: "claude.ai" }, async (page) =>
      expect(await mainText(page)).toContain("any program on your computer could use that name"),
    );
  });
});

describe.skipIf(!browser)("a hostile name of an application", () => {
  // [C-page-hostile-name]
  it("stays text, and cannot hide or reorder anything", () =>
    opened({ clientName: '<b>Bank</b>\u202eia.edualc\u200b"><script>' }, async (page) => {
      const name = page.locator(".name");
      expect(await name.innerText()).toBe('<b>Bank</b>U+202Eia.edualcU+200B"><script>');
      expect(await name.locator("b, script").count()).toBe(0);
      expect(await page.locator(".name .mark").count()).toBe(2);
    }));

  // [C-page-hostile-name]
  it("of 512 characters takes little room, and the page does not scroll sideways at 320 pixels", () =>
    opened(
      {
        clientName: "W".repeat(512),
        clientHost: `${"w".repeat(60)}.${"w".repeat(60)}.example`,
        handles: [
          { slug: "h".repeat(32), displayName: "ﷺ".repeat(60), isSuspended: false, isOperator: false },
        ],
        email: `${"e".repeat(64)}@${"e".repeat(63)}.example`,
      },
      async (page) => {
        expect(await page.locator(".name").innerText()).toBe(`${"W".repeat(80)}…`);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
        const inside = await page.evaluate(`(() => {
          const main = document.querySelector("main");
          const { right } = main.getBoundingClientRect();
          return [...main.querySelectorAll("*")].every((each) => each.getBoundingClientRect().right <= right);
        })()`);
        expect(inside).toBe(true);
      },
      { viewport: { width: 320, height: 640 } },
    ));
});

describe.skipIf(!browser)("the keyboard", () => {
  // [C-page-keyboard]
  it("reaches everything in the order of the page, and Enter connects only on the button or in a field", () =>
    opened(
      {},
      async (page) => {
        const reached: string[] = [];
        for (let n = 0; n < 4; n++) {
          await page.keyboard.press("Tab");
          const focused = page.locator(":focus");
          reached.push((await focused.getAttribute("value")) ?? "");
          expect(await page.evaluate("getComputedStyle(document.activeElement).outlineWidth")).toBe("3px");
        }
        expect(reached).toEqual(["builder", "approve", "refuse", "switch"]);
        await page.getByLabel("@builder").focus();
        await page.keyboard.press("ArrowUp");
        expect(await page.locator(":focus").getAttribute("value")).toBe("alice");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.getByText("received").waitFor();
        expect(received).toMatchObject({ handle: "alice", action: "approve" });
      },
      {},
    ));
});
