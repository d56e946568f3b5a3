import { createHmac } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { SourceOf } from "../../http/source.js";
import { createFormTokens } from "../applications/form-tokens.js";
import { accountIdOf, humanKeyOf, identityOf } from "../external/account-id.js";
import { type IssuerClient, SignInFailure, type SignInSecrets } from "../external/issuer-client.js";
import type { IdentityStore } from "../identity-store.js";
import type { Log } from "../log.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import type { Identity } from "../verifier.js";
import type { Humans } from "./humans.js";
import * as pages from "./pages/index.js";

/**
 * Time after which a human signs in again, so that one whom the provider has locked out connects nothing
 * more.
 */
const MAX_SIGN_IN_SECONDS = 3_600;
/** The same for the console: the longest working day of one whom the provider has locked out. */
const MAX_SESSION_SECONDS = 12 * 3_600;

export interface ExternalHumansOptions {
  issuer: string;
  client: IssuerClient;
  /** The redirect URI of the client. */
  redirectUri: string;
  mountPath: string;
  /** HMAC key of the secrets of sign-ins. */
  key: string;
  store: IdentityStore;
  throttle: SourceThrottle;
  sourceOf: SourceOf;
  log: Log;
  now: () => number;
}

/**
 * Humans who sign in at an external provider.
 *
 * The `state` of a sign-in contains the id of its interaction. The redirect URI hands the response on to the
 * page of the interaction, which only the browser that began it can open. A `state` serves once; nonce and
 * code verifier are derived from it.
 */
export function externalHumans(options: ExternalHumansOptions): Humans {
  const { issuer, client, redirectUri, mountPath, key, store, throttle, sourceOf, log, now } = options;
  const tokens = createFormTokens(key, store, now);

  const secretsOf = (state: string): SignInSecrets => {
    const derive = (name: string) =>
      createHmac("sha256", key).update(`${name}\n${state}`).digest("base64url");
    return { state, nonce: derive("sign-in nonce"), verifier: derive("sign-in verifier") };
  };

  const begin = async (ctx: Context, uid: string, isOther: boolean) => {
    const state = `${uid}.${tokens.create(purposeOf(uid))}`;
    try {
      const url = await client.authorizationUrl(secretsOf(state), isOther);
      // Chrome applies the `form-action` of the page to the redirects after a form, and those of the provider
      // are not known.
      if (ctx.method === "POST") return pages.leave(ctx, { href: url.href, host: client.host });
      ctx.redirect(url.href);
      ctx.status = 303;
    } catch (error) {
      showFailure(ctx, error);
    }
  };

  const showFailure = (ctx: Context, error: unknown) => {
    if (!(error instanceof SignInFailure)) throw error;
    const { status, message, detail } = error;
    ctx.status = status;
    if (status === 503) ctx.set("Retry-After", "60");
    pages.signInFailed(ctx, { problem: message, host: client.host, detail });
  };

  /** Returns the human of an authorization response. */
  const receive = async (ctx: Context, uid: string): Promise<Identity> => {
    const state = String(ctx.query.state);
    const token = state.slice(uid.length + 1);
    if (!state.startsWith(`${uid}.`) || !tokens.isValid(purposeOf(uid), token))
      throw new SignInFailure(400, `The response of ${client.host} does not belong to this sign-in.`);
    throttle.countRequest(sourceOf(ctx.req));
    if (!(await tokens.use(token)))
      throw new SignInFailure(400, `The response of ${client.host} was used before.`);
    return client.redeem(new URL(`${redirectUri}${ctx.search}`), secretsOf(state));
  };

  /** Hands an authorization response on to the page of its interaction. */
  const callback: Middleware = (ctx, next) => {
    if (ctx.path !== "/callback") return next();
    const [uid = ""] = String(ctx.query.state ?? "").split(".");
    if (ctx.method === "GET" && /^[\w-]{1,64}$/.test(uid)) {
      ctx.redirect(`${mountPath}/interaction/${uid}${ctx.search}`);
      ctx.status = 303;
      return undefined;
    }
    ctx.status = 400;
    return pages.errorPage(ctx, `The response of ${client.host} belongs to no sign-in.`);
  };

  return {
    clients: [],
    hasVersions: false,
    routes: [callback],
    maxSignInSeconds: MAX_SIGN_IN_SECONDS,
    maxSessionSeconds: MAX_SESSION_SECONDS,
    async find(accountId) {
      const identity = identityOf(accountId);
      return identity?.issuer === issuer ? { accountId, identity, version: undefined } : undefined;
    },
    keyOf: (accountId) => humanKeyOf(identityOf(accountId)!),
    showSignIn: (ctx, { uid }, isOther = false) => begin(ctx, uid, isOther),
    async receive(ctx, { uid }, finish) {
      if (ctx.query.state === undefined) return false;
      const event = { event: "sign-in", source: sourceOf(ctx.req) };
      try {
        const identity = await receive(ctx, uid);
        log.info({ ...event, user: identity.subject, outcome: "signed in" }, "signed in");
        await finish(ctx, { accountId: accountIdOf(identity) });
      } catch (error) {
        if (error instanceof SignInFailure) log.warn({ ...event, outcome: "refused" }, "sign-in failed");
        showFailure(ctx, error);
      }
      return true;
    },
    async submit(ctx, { uid }, form) {
      if (form.action !== "sign-in") return false;
      await begin(ctx, uid, false);
      return true;
    },
  };
}

function purposeOf(uid: string): string {
  return JSON.stringify(["external sign-in", uid]);
}
