/**
 * OAuth for applications: a human with a browser, and the requests of an application without a client
 * library.
 */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Browser, type Page } from "./browser.js";
import { type Body, EMBEDDED_IDENTITY } from "./daemon.js";
import { confirmationCodes } from "./human.js";
import { PASSWORD, PASSWORD_GRANT } from "./identity-client.js";
import type { IdentityHost } from "./identity-host.js";

export const REDIRECT = "http://127.0.0.1:53682/callback";

/**
 * Settings of a daemon whose passwords are hashed in a millisecond, and whose requests name their source in
 * X-Forwarded-For.
 */
export const OAUTH_DAEMON = {
  args: ["--trusted-proxies", "127.0.0.1"],
  ...EMBEDDED_IDENTITY,
};

/** A daemon, or the identity provider alone. */
export interface OAuthServer {
  readonly origin: string;
  /** Returns the log so far, as JSON lines. */
  log(): string;
}

export const oauthServer = (host: IdentityHost): OAuthServer => ({
  origin: host.origin,
  log: () => host.log.map((line) => JSON.stringify(line)).join("\n"),
});

let sourceCount = 0;

/** Returns an address in a network from which no other request comes. */
export const newSource = () => `198.${18 + (++sourceCount >> 8)}.${sourceCount & 255}.1`;

export interface Tokens {
  status: number;
  body: Body;
}

/** A human who signs in and approves in a browser with cookies, without scripts. */
export class OAuthHuman {
  readonly browser: Browser;

  /** @param origins origins to which redirects are followed, besides the server's origin */
  protected constructor(
    private readonly server: OAuthServer,
    readonly email: string,
    origins: readonly string[] = [],
  ) {
    const followed = [server.origin, ...origins].map((origin) => `${origin}/`);
    // Each request has its own source, so that no throttle counts the requests together.
    this.browser = new Browser((url) => !followed.some((start) => url.startsWith(start)), newSource);
  }

  /** Signs up, and confirms the address. */
  static async signUp(server: OAuthServer): Promise<OAuthHuman> {
    const human = new OAuthHuman(server, `human${++sourceCount}@example.com`);
    await human.signUp();
    return human;
  }

  /** Signs up with the address, which has no account, and confirms it. */
  async signUp(): Promise<void> {
    const codes = () => confirmationCodes(this.server.log(), this.email);
    const known = codes().length;
    await this.request("sign-up");
    while (codes().length === known) await sleep(10);
    await this.post("confirm", { email: this.email, password: PASSWORD, code: codes().at(-1) });
  }

  /** Asks for a code by mail. */
  request(path: "sign-up" | "forgot"): Promise<void> {
    return this.post(path, { email: this.email, ...(path === "sign-up" && { password: PASSWORD }) });
  }

  /** Signs in as the command line does. Returns the ID token. */
  async idToken(): Promise<string> {
    return (await this.passwordGrant()).body.id_token;
  }

  /** Signs in as the command line does. Returns the response of the token endpoint. */
  async passwordGrant(): Promise<Tokens> {
    const response = await fetch(`${this.server.origin}/identity/token`, {
      method: "POST",
      headers: { "x-forwarded-for": newSource() },
      body: new URLSearchParams({
        ...{ client_id: "wireroom-cli", grant_type: PASSWORD_GRANT },
        ...{ username: this.email, password: PASSWORD },
      }),
    });
    return { status: response.status, body: await response.json() };
  }

  /** Returns another browser of the same human, without cookies. */
  withNewBrowser(): OAuthHuman {
    return new OAuthHuman(this.server, this.email);
  }

  /** Opens the URL of an authorization request, signs in if needed, and returns the page for the consent. */
  async open(url: string | URL): Promise<Page> {
    const page = await this.browser.get(String(url));
    if (!page.text.includes('name="password"')) return page;
    return this.browser.submit(page, { email: this.email, password: PASSWORD, action: "sign-in" });
  }

  /** Opens an authorization request and approves it. Returns the URL to which the browser is redirected. */
  async approve(url: string | URL, handle: { handle: string } | { newHandle: string }): Promise<URL> {
    const page = await this.open(url);
    return new URL((await this.press(page, "approve", handle)).url);
  }

  /** Presses a button of the page for the consent. */
  press(
    page: Page,
    action: "approve" | "refuse" | "switch",
    handle?: { handle: string } | { newHandle: string },
  ): Promise<Page> {
    const fields: Record<string, string> =
      handle === undefined
        ? {}
        : "handle" in handle
          ? { handle: handle.handle }
          : { handle: "", new_handle: handle.newHandle };
    // The first form only has the button for another account.
    return this.browser.submit(page, { ...fields, action }, action === "switch" ? 0 : 1);
  }

  /** Replaces the password. The sign-in of the ID token stays. */
  changePassword(newPassword: string, idToken: string): Promise<void> {
    const body = { email: this.email, password: PASSWORD, new_password: newPassword };
    return this.post("password", body, { authorization: `Bearer ${idToken}` });
  }

  private async post(path: string, body: object, more: Record<string, string> = {}): Promise<void> {
    const headers = { "content-type": "application/json", "x-forwarded-for": newSource(), ...more };
    const response = await fetch(`${this.server.origin}/identity/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}

/** An application that sends each request itself. */
export class Application {
  readonly verifier = randomBytes(32).toString("base64url");

  constructor(
    private readonly server: OAuthServer,
    readonly clientId: string,
    readonly redirectUri = REDIRECT,
    private readonly source = newSource(),
  ) {}

  /** Registers an application with one redirect URI. */
  static async register(
    server: OAuthServer,
    metadata: object = {},
    source = newSource(),
  ): Promise<Application> {
    const { status, body } = await register(server, { redirect_uris: [REDIRECT], ...metadata }, source);
    if (status !== 201) throw new Error(`registration: ${status} ${JSON.stringify(body)}`);
    return new Application(server, body.client_id, body.redirect_uris[0], source);
  }

  /** Returns the URL of an authorization request. A parameter with the value undefined is left out. */
  authorizationUrl(more: Record<string, string | undefined> = {}): string {
    const all = {
      client_id: this.clientId,
      response_type: "code",
      redirect_uri: this.redirectUri,
      state: "state & more=1",
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...more,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `${this.server.origin}/identity/auth?${new URLSearchParams(given)}`;
  }

  /** Redeems the code in the URL of a redirect. */
  redeem(back: URL, more: Record<string, string> = {}): Promise<Tokens> {
    return this.token({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...more,
    });
  }

  refresh(refreshToken: string, more: Record<string, string> = {}): Promise<Tokens> {
    return this.token({ grant_type: "refresh_token", refresh_token: refreshToken, ...more });
  }

  revoke(token: string): Promise<Response> {
    return this.post("token/revocation", { token });
  }

  async token(fields: Record<string, string>): Promise<Tokens> {
    const response = await this.post("token", fields);
    return { status: response.status, body: await response.json() };
  }

  /** Returns the tokens for a handle that the human approves. */
  async connect(human: OAuthHuman, handle: { handle: string } | { newHandle: string }): Promise<Body> {
    const { status, body } = await this.redeem(await human.approve(this.authorizationUrl(), handle));
    if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  private post(path: string, fields: Record<string, string>): Promise<Response> {
    return fetch(`${this.server.origin}/identity/${path}`, {
      method: "POST",
      headers: { "x-forwarded-for": this.source },
      body: new URLSearchParams({ client_id: this.clientId, ...fields }),
    });
  }
}

export async function register(
  server: OAuthServer,
  metadata: object,
  source = newSource(),
): Promise<{ status: number; headers: Headers; body: Body }> {
  const response = await fetch(`${server.origin}/identity/reg`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": source },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
