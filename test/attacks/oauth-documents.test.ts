/** Attacks by client ID metadata documents: what makes the daemon fetch, and what the documents claim. */

import { readFile, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Certificates, makeCertificates } from "../harness/certificates.js";
import { type IdentityHost, startIdentityHost } from "../harness/identity-host.js";
import { Application, newSource, OAuthHuman, type OAuthServer, oauthServer } from "../harness/oauth.js";

const NAME = "client.example";

let certificates: Certificates;
let documents: Server;
let host: IdentityHost;
let server: OAuthServer;
let human: OAuthHuman;
let aheadMs = 0;

type Respond = (response: ServerResponse, request: IncomingMessage) => void;
/** What the server of the documents does. */
let respond: Respond;
/** Paths of its requests. */
let fetched: string[];

beforeAll(async () => {
  certificates = await makeCertificates(NAME);
  const [key, cert, ca] = await Promise.all(
    [certificates.key, certificates.certificate, certificates.authority].map((file) =>
      readFile(file, "utf8"),
    ),
  );
  documents = createServer({ key, cert }, (request, response) => {
    fetched.push(request.url!);
    respond(response, request);
  });
  await new Promise<void>((resolve) => documents.listen(0, "127.0.0.1", resolve));
  host = await startIdentityHost({
    file: join(certificates.folder, "documents.db"),
    now: () => Date.now() + aheadMs,
    tuning: { testServers: { ca: ca!, addresses: { [NAME]: "127.0.0.1" } } },
  });
  server = oauthServer(host);
  human = await OAuthHuman.signUp(server);
});

beforeEach(() => {
  aheadMs = 0;
  fetched = [];
});

afterAll(async () => {
  await host.close();
  documents.closeAllConnections();
  documents.close();
  await rm(certificates.folder, { recursive: true });
});

let count = 0;
/** Returns the URL of a document that was never fetched. */
const newUrl = () => `https://${NAME}:${(documents.address() as AddressInfo).port}/client-${++count}.json`;

const REDIRECT_URI = "https://client.example/callback";

/** Makes the server respond with a document. */
function serve(document: object, headers: Record<string, string> = {}): void {
  respond = (response) => response.writeHead(200, headers).end(JSON.stringify(document));
}

const documentOf = (url: string, more: object = {}) => ({
  client_id: url,
  client_name: "A document",
  redirect_uris: [REDIRECT_URI],
  ...more,
});

const open = (url: string, redirectUri = REDIRECT_URI) =>
  human.browser.get(new Application(server, url, redirectUri).authorizationUrl());

async function expectRefused(url: string, why: string | RegExp = "invalid_client"): Promise<void> {
  const page = await open(url);
  expect(page).toMatchObject({ status: 400, text: expect.stringMatching(why) });
  expect(page.url.startsWith(`${host.origin}/identity/auth`)).toBe(true);
}

describe("a client ID metadata document", () => {
  // [D13-document]
  it("identifies an application, which connects and refreshes", async () => {
    const url = newUrl();
    serve(
      documentOf(url, { token_endpoint_auth_method: "none", scope: "x", logo_uri: "https://x.example/" }),
    );
    const application = new Application(server, url, REDIRECT_URI);
    const page = await human.open(application.authorizationUrl());
    expect(page.text).toContain(new URL(url).host);
    const back = await human.press(page, "approve", { newHandle: `document-${count}` });
    const { status, body } = await application.redeem(new URL(back.url));
    expect(status).toBe(200);
    expect((await application.refresh(body.refresh_token)).status).toBe(200);
  });

  // [D13-document]
  it("that cannot be fetched for a moment ends no connection", async () => {
    const url = newUrl();
    serve(documentOf(url));
    const application = new Application(server, url, REDIRECT_URI);
    const { refresh_token } = await application.connect(human, { newHandle: `document-${count}` });
    for (const status of [503, 429]) {
      respond = (response) => response.writeHead(status).end();
      const refused = { status: 503, body: { error: "temporarily_unavailable" } };
      expect(await application.refresh(refresh_token)).toMatchObject(refused);
    }
    respond = (response) => response.writeHead(404).end();
    const gone = { status: 400, body: { error: "invalid_client" } };
    expect(await application.refresh(refresh_token)).toMatchObject(gone);
    serve(documentOf(url));
    expect((await application.refresh(refresh_token)).status).toBe(200);
  });

  it("may offer several methods of authentication, of which none is used", async () => {
    const url = newUrl();
    const methods = { token_endpoint_auth_methods_supported: ["private_key_jwt", "none"] };
    serve(documentOf(url, { token_endpoint_auth_method: "private_key_jwt", ...methods }));
    expect(await human.open(new Application(server, url, REDIRECT_URI).authorizationUrl())).toMatchObject({
      status: 200,
    });
  });

  // [D13-document]
  it.each<[string, (url: string) => object]>([
    ["of another client", () => ({ client_id: "https://other.example/client.json" })],
    ["of Wireroom's own client", () => ({ client_id: "wireroom-cli" })],
    ["with a secret", () => ({ client_secret: "x" })],
    ["with another method of authentication", () => ({ token_endpoint_auth_method: "private_key_jwt" })],
    ["with a secret's method", () => ({ token_endpoint_auth_method: "client_secret_post" })],
    ["without redirect URIs", () => ({ redirect_uris: [] })],
    ["with a redirect URI of a script", () => ({ redirect_uris: ["javascript:alert(1)"] })],
    ["with a long name", () => ({ client_name: "x".repeat(101) })],
  ])("%s is refused", async (_what, more) => {
    const url = newUrl();
    serve(documentOf(url, more(url)));
    await expectRefused(url, /invalid_(client|redirect_uri)/);
  });

  // [D13-document-guard]
  it.each<[string, Respond]>([
    ["redirects", (response) => response.writeHead(302, { location: newUrl() }).end()],
    ["is missing", (response) => response.writeHead(404).end()],
    ["is no JSON", (response) => response.writeHead(200).end("<html>")],
    ["is an array", (response) => response.writeHead(200).end("[]")],
    ["is huge", (response) => response.writeHead(200).end(`{"x":"${"x".repeat(6_000)}"}`)],
    [
      "grows without end",
      (response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x".repeat(512)), 5);
        response.on("close", () => clearInterval(timer));
      },
    ],
    ["breaks off", (response) => response.writeHead(200, { "content-length": "100" }).end("{")],
  ])("that %s is refused, and no other address is fetched", async (_what, how) => {
    const url = newUrl();
    respond = how;
    await expectRefused(url);
    expect(fetched).toEqual([new URL(url).pathname]);
  });

  // [D13-document-guard]
  it("that is slow is given up after 5 s, while another source is served", async () => {
    const [slow, quick] = [newUrl(), newUrl()];
    respond = (response, { url }) => {
      if (url === new URL(quick).pathname) response.end(JSON.stringify(documentOf(quick)));
      else response.writeHead(200).write("{");
    };
    const startedAt = Date.now();
    const refused = expectRefused(slow);
    expect((await human.open(new Application(server, quick, REDIRECT_URI).authorizationUrl())).status).toBe(
      200,
    );
    expect(Date.now() - startedAt).toBeLessThan(4_000);
    await refused;
    expect(Date.now() - startedAt).toBeLessThan(20_000);
  });

  it("of a server with another certificate is refused", async () => {
    // The server has a certificate for its name alone.
    await expectRefused(newUrl().replace(NAME, "127.0.0.1"));
  });

  // [D13-document-guard]
  it.each([
    "https://127.0.0.1/c.json",
    "https://[::1]/c.json",
    "https://[::ffff:127.0.0.1]/c.json",
    "https://[::ffff:7f00:1]/c.json",
    "https://2130706433/c.json",
    "https://0x7f.1/c.json",
    "https://0/c.json",
    "https://10.0.0.1/c.json",
    "https://169.254.169.254/latest/meta-data",
    "https://100.64.0.1/c.json",
    "https://[fe80::1]/c.json",
    "https://[64:ff9b::7f00:1]/c.json",
    "https://localhost/c.json",
    "https://localhost./c.json",
    "http://client.example/c.json",
    "https://user@client.example/c.json",
    "https://client.example/../c.json",
    "https://client.example/c.json#x",
    "file:///etc/passwd",
    "ftp://client.example/c.json",
  ])("at %s is not fetched", async (url) => {
    await expectRefused(url);
    expect(fetched).toEqual([]);
  });

  // [D13-document-guard]
  it("makes the daemon fetch only so often for one source, which costs others nothing", async () => {
    serve({});
    const source = newSource();
    const statuses = new Set<number>();
    for (let n = 0; n < 130; n++) {
      const url = new Application(server, newUrl()).authorizationUrl();
      const response = await fetch(url, { headers: { "x-forwarded-for": source }, redirect: "manual" });
      statuses.add(response.status);
      await response.text();
    }
    expect(statuses).toEqual(new Set([400, 429]));
    // Each request counts as one, and so does its fetch.
    expect(fetched.length).toBeLessThanOrEqual(65);
    await expectRefused(newUrl());
    expect(fetched.at(-1)).toBe(`/client-${count}.json`);
  });
});

describe("a document is used", () => {
  // [D13-document-cache]
  it("as long as its server says", async () => {
    const url = newUrl();
    serve(documentOf(url), { "cache-control": "max-age=600" });
    await open(url);
    await open(url);
    expect(fetched).toHaveLength(1);
  });

  // [D13-document-cache]
  it.each(["no-store", "no-cache", "max-age=0", "private, max-age=600", ""])(
    "once with Cache-Control: %s, so that a change takes effect",
    async (header) => {
      const url = newUrl();
      serve(documentOf(url), header === "" ? {} : { "cache-control": header });
      expect((await open(url)).status).toBe(200);
      serve(documentOf(url, { redirect_uris: ["https://client.example/moved"] }));
      await expectRefused(url, "invalid_redirect_uri");
      expect((await open(url, "https://client.example/moved")).status).toBe(200);
    },
  );

  it("with the name that the human has seen, if it changes before the approval", async () => {
    const url = newUrl();
    serve(documentOf(url, { client_name: "An honest name" }));
    const application = new Application(server, url, REDIRECT_URI);
    const page = await human.open(application.authorizationUrl());
    expect(page.text).toContain("An honest name");
    serve(documentOf(url, { client_name: "Another name" }));
    const again = await human.press(page, "approve", { newHandle: `changed-${count}` });
    expect(again.text).toContain("Another name");
    expect(new URL(again.url).searchParams.has("code")).toBe(false);
  });
});

it("a document that is gone when the page is shown or sent ends the sign-in", async () => {
  const url = newUrl();
  serve(documentOf(url));
  const page = await human.open(new Application(server, url, REDIRECT_URI).authorizationUrl());
  respond = (response) => response.writeHead(404).end();
  expect(await human.browser.get(page.url)).toMatchObject({
    status: 400,
    text: expect.stringContaining("has expired"),
  });
  expect((await human.press(page, "approve", { newHandle: `gone-${count}` })).status).toBe(400);
});
