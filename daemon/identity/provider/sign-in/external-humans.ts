import { createHmac } from "node:crypto";
import type { Context, Middleware } from "koa";
import { accountIdOf, humanKeyOf, identityOf } from "../../external/account-id.js";
import { type IssuerClient, SignInFailure, type SignInSecrets } from "../../external/issuer-client.js";
import type { IdentityContext } from "../../service.js";
import type { Identity } from "../../verifier.js";
import { MOUNT_PATH } from "../authorization-server.js";
import * as pages from "../pages/index.js";
import { FormTokens } from "./form-tokens.js";
import type { FinishSignIn, Form, Human, Humans, Interaction } from "./humans.js";

/** Humans must sign in again after this time, because the provider may have locked them out. */
const MAX_SIGN_IN_SECONDS = 3_600;
/** A locked-out human keeps access to the console for at most this time. */
const MAX_SESSION_SECONDS = 12 * 3_600;

/**
 * Humans who sign in at an external provider.
 *
 * A sign-in's `state` contains its interaction's id. The redirect URI forwards the response to the
 * interaction's page, which only the browser that began the interaction can open. Each `state` works once.
 * The nonce and the code verifier are derived from `state`.
 */
export class ExternalHumans implements Humans {
  readonly clients = [];
  readonly hasVersions = false;
  readonly maxSignInSeconds = MAX_SIGN_IN_SECONDS;
  readonly maxSessionSeconds = MAX_SESSION_SECONDS;
  private readonly tokens: FormTokens;

  constructor(
    private readonly context: IdentityContext,
    private readonly issuer: string,
    private readonly client: IssuerClient,
    private readonly redirectUri: string,
  ) {
    this.tokens = new FormTokens(context);
  }

  routes(): Middleware[] {
    return [(ctx, next) => this.handOn(ctx, next)];
  }

  async find(accountId: string): Promise<Human | undefined> {
    const identity = identityOf(accountId);
    return identity?.issuer === this.issuer ? { accountId, identity, version: undefined } : undefined;
  }

  keyOf(accountId: string): string {
    return humanKeyOf(identityOf(accountId)!);
  }

  async showSignIn(ctx: Context, { uid }: Interaction, isOther = false): Promise<void> {
    const { client } = this;
    const state = `${uid}.${this.tokens.create(purposeOf(uid))}`;
    try {
      const url = await client.authorizationUrl(this.secretsOf(state), isOther);
      // Chrome applies `form-action` to redirects after a form submission, and the provider's redirects are
      // unknown.
      if (ctx.method === "POST") return pages.leave(ctx, { href: url.href, host: client.host });
      ctx.redirect(url.href);
      ctx.status = 303;
    } catch (error) {
      this.showFailure(ctx, error);
    }
  }

  async receive(ctx: Context, { uid }: Interaction, finish: FinishSignIn): Promise<boolean> {
    if (ctx.query.state === undefined) return false;
    const { log, sourceOf } = this.context;
    const event = { event: "sign-in", source: sourceOf(ctx.req) };
    try {
      const identity = await this.redeem(ctx, uid);
      log.info({ ...event, user: identity.subject, outcome: "signed in" }, "signed in");
      await finish(ctx, { accountId: accountIdOf(identity) });
    } catch (error) {
      if (error instanceof SignInFailure) log.warn({ ...event, outcome: "refused" }, "sign-in failed");
      this.showFailure(ctx, error);
    }
    return true;
  }

  async submit(ctx: Context, interaction: Interaction, form: Form): Promise<boolean> {
    if (form.action !== "sign-in") return false;
    await this.showSignIn(ctx, interaction);
    return true;
  }

  /** Forwards an authorization response to its interaction's page. */
  private handOn(ctx: Context, next: () => Promise<unknown>): Promise<unknown> | undefined {
    if (ctx.path !== "/callback") return next();
    const [uid = ""] = String(ctx.query.state ?? "").split(".");
    if (ctx.method === "GET" && /^[\w-]{1,64}$/.test(uid)) {
      ctx.redirect(`${MOUNT_PATH}/interaction/${uid}${ctx.search}`);
      ctx.status = 303;
      return undefined;
    }
    ctx.status = 400;
    pages.errorPage(ctx, `The response of ${this.client.host} belongs to no sign-in.`);
    return undefined;
  }

  private async redeem(ctx: Context, uid: string): Promise<Identity> {
    const { throttle, sourceOf } = this.context;
    const { client, tokens } = this;
    const state = String(ctx.query.state);
    const token = state.slice(uid.length + 1);
    if (!state.startsWith(`${uid}.`) || !tokens.isValid(purposeOf(uid), token))
      throw new SignInFailure(400, `The response of ${client.host} does not belong to this sign-in.`);
    throttle.countRequest(sourceOf(ctx.req));
    if (!(await tokens.use(token)))
      throw new SignInFailure(400, `The response of ${client.host} was used before.`);
    return client.redeem(new URL(`${this.redirectUri}${ctx.search}`), this.secretsOf(state));
  }

  private secretsOf(state: string): SignInSecrets {
    const derive = (name: string) =>
      createHmac("sha256", this.context.hmacKey).update(`${name}\n${state}`).digest("base64url");
    return { state, nonce: derive("sign-in nonce"), verifier: derive("sign-in verifier") };
  }

  private showFailure(ctx: Context, error: unknown): void {
    if (!(error instanceof SignInFailure)) throw error;
    const { status, message, detail } = error;
    ctx.status = status;
    if (status === 503) ctx.set("Retry-After", "60");
    pages.signInFailed(ctx, { problem: message, host: this.client.host, detail });
  }
}

function purposeOf(uid: string): string {
  return JSON.stringify(["external sign-in", uid]);
}
