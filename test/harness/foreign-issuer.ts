/** oidc-provider as an external identity provider. On its development pages, any name signs in. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import type { Provider } from "oidc-provider";
import { loadOidcProvider } from "../../daemon/identity/provider/load.js";
import type { Page } from "./browser.js";
import type { DaemonOptions } from "./daemon.js";
import { OAUTH_DAEMON, OAuthHuman, type OAuthServer } from "./oauth.js";

export interface ForeignIssuer {
  readonly url: string;
  /** Registers the client of a daemon, which has started with the URL of this issuer. */
  serve(daemon: OAuthServer): Promise<void>;
  close(): Promise<void>;
}

/** The client of the daemon at the issuer. */
export const FOREIGN_CLIENT = { id: "wireroom-web", secret: "a secret: of 100 % & more" };

/**
 * Settings of a daemon whose humans sign in at this issuer.
 * @param audience audience of the tokens for dashboard operations
 */
export const foreignDaemon = ({ url }: ForeignIssuer, audience: string): DaemonOptions => ({
  ...OAUTH_DAEMON,
  args: [
    ...OAUTH_DAEMON.args,
    ...["--oidc-issuer", url, "--oidc-audience", audience],
    ...["--oidc-client-id", FOREIGN_CLIENT.id],
  ],
  env: { WIREROOM_OIDC_CLIENT_SECRET: FOREIGN_CLIENT.secret },
});

export async function startForeignIssuer(): Promise<ForeignIssuer> {
  let handle: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((req, res) => void (handle ? handle(req, res) : res.writeHead(503).end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async serve({ origin }) {
      const { Provider } = await loadOidcProvider();
      const { privateKey } = await generateKeyPair("ES256", { extractable: true });
      const jwk = { ...(await exportJWK(privateKey)), kid: "foreign", use: "sig", alg: "ES256" };
      const provider = new Provider(url, {
        clients: [
          {
            client_id: FOREIGN_CLIENT.id,
            client_secret: FOREIGN_CLIENT.secret,
            redirect_uris: [`${origin}/identity/callback`],
            id_token_signed_response_alg: "ES256",
          },
        ],
        jwks: { keys: [jwk] },
        cookies: { keys: ["a key of the tests"] },
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        // Puts `email` into the ID token, as most providers do.
        conformIdTokenClaims: false,
        pkce: { required: () => true },
        findAccount: (_ctx, sub) => ({
          accountId: sub,
          claims: () => ({ sub, email: `${sub}@example.com`, email_verified: sub !== "unverified" }),
        }),
        renderError(ctx, out) {
          ctx.body = JSON.stringify(out);
        },
      });
      handle = provider.callback();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A human with an account of the external provider. */
export class ForeignHuman extends OAuthHuman {
  constructor(
    server: OAuthServer,
    readonly issuer: ForeignIssuer,
    readonly login: string,
  ) {
    super(server, `${login}@example.com`, [issuer.url]);
  }

  /**
   * Opens the URL of an authorization request, signs in at the external provider if it asks, and returns the
   * last page.
   */
  override async open(url: string | URL): Promise<Page> {
    return this.signIn(await this.browser.get(String(url)));
  }

  /**
   * Signs in on the external provider's pages: a form for the name, a form for the consent, and the forms
   * that a script would submit.
   */
  async signIn(page: Page, login = this.login): Promise<Page> {
    let shown = page;
    while (this.isOnTheWay(shown)) {
      const asksForName = shown.text.includes('name="password"');
      shown = await this.browser.submit(shown, asksForName ? { login, password: "any" } : {});
    }
    return shown;
  }

  private isOnTheWay({ url, text }: Page): boolean {
    const isAtIssuer = url.startsWith(`${this.issuer.url}/`);
    return text.includes("<form") && (isAtIssuer || text.includes("Press the button to go on."));
  }
}
