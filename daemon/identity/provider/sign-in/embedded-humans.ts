/** Humans with an account at the embedded provider, who sign in with an e-mail address and a password. */
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import type { ClientMetadata, errors as Errors } from "oidc-provider";
import { WireroomError } from "../../../../src/contract/errors.js";
import type { User } from "../../../../src/store/accounts/identity.js";
import { normalizeEmail } from "../../credentials.js";
import type { PasswordChanges } from "../../registration/password-changes.js";
import { registrationRoutes } from "../../registration/routes.js";
import type { SignUps } from "../../registration/sign-ups.js";
import type { IdentityContext } from "../../service.js";
import type { SignIn } from "../../sign-in.js";
import type { Verify } from "../../verifier.js";
import { clientMetadata } from "../clients/own-clients.js";
import * as pages from "../pages/index.js";
import { acrOf } from "./account.js";
import { accountForms } from "./account-forms.js";
import { consoleTickets } from "./console-tickets.js";
import type { FinishSignIn, Form, Human, Humans, Interaction, Login } from "./humans.js";
import { localSignIn } from "./local-sign-in.js";
import { registerPasswordGrant } from "./password-grant.js";

export interface EmbeddedProvider {
  /**
   * The issuer under which accounts are stored. Differs from the current issuer if the daemon's URL has
   * changed.
   */
  accountIssuer: string;
  signIn: SignIn;
  signUps: SignUps;
  passwordChanges: PasswordChanges;
  /** See {@link registrationRoutes}. */
  verifySession: Verify;
  /** The place to which the daemon sends codes. */
  codes: "mail" | "log";
}

export class EmbeddedHumans implements Humans {
  readonly clients: ClientMetadata[];
  readonly hasVersions = true;
  private readonly hasPasswordGrant: boolean;
  private readonly forms: ReturnType<typeof accountForms>;

  constructor(
    private readonly context: IdentityContext,
    private readonly embedded: EmbeddedProvider,
  ) {
    const { signUps, passwordChanges } = embedded;
    this.hasPasswordGrant = context.settings.passwordGrant !== false;
    this.clients = [clientMetadata(this.hasPasswordGrant)];
    this.forms = accountForms(context, signUps, passwordChanges);
  }

  routes(provider: Provider): Middleware[] {
    const { context } = this;
    const { accountIssuer, signUps, passwordChanges, verifySession, codes } = this.embedded;
    return [
      (ctx, next) => {
        const state = pages.stateOf(ctx);
        state.codes = codes;
        state.hasLocalSignIn = context.localSecret !== undefined;
        return next();
      },
      registrationRoutes(context, signUps, passwordChanges, verifySession),
      ...(context.settings.console === false ? [] : [consoleTickets(context, this.embedded, provider)]),
      ...(context.localSecret === undefined
        ? []
        : [localSignIn(context, accountIssuer, context.localSecret, provider)]),
    ];
  }

  addGrantTypes(provider: Provider, errors: typeof Errors): void {
    const { signIn } = this.embedded;
    if (this.hasPasswordGrant) registerPasswordGrant(provider, signIn, this.context.sourceOf, errors);
  }

  async find(accountId: string): Promise<Human | undefined> {
    const user = await this.context.store.userById(accountId);
    if (!user) return undefined;
    const identity = { issuer: this.embedded.accountIssuer, subject: user.id, email: user.email };
    return { accountId, identity, version: acrOf(user) };
  }

  keyOf(accountId: string): string {
    return accountId;
  }

  showSignIn(ctx: Context): void {
    if (!this.forms.show(ctx)) pages.signIn(ctx, {});
  }

  async submit(ctx: Context, interaction: Interaction, form: Form, finish: FinishSignIn): Promise<boolean> {
    const source = this.context.sourceOf(ctx.req);
    if (form.action !== "sign-in")
      return this.forms.submit(ctx, form, source, finish, (each) => this.restart(each, interaction));
    await this.submitCredentials(ctx, interaction, form, finish);
    return true;
  }

  private async submitCredentials(
    ctx: Context,
    { session }: Interaction,
    { email = "", password = "", code }: Form,
    finish: FinishSignIn,
  ): Promise<void> {
    const { store, sourceOf } = this.context;
    try {
      const user = session && (await store.userById(session.accountId));
      const isSignedIn = user?.email === normalizeEmail(email);
      const credentials = { email, password, code, source: sourceOf(ctx.req), isSignedIn };
      const result = await this.embedded.signIn(credentials);
      if (result.user) return finish(ctx, loginOf(result.user));
      ctx.status = 400;
      pages.signIn(ctx, { email, ...result });
    } catch (error) {
      if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") throw error;
      ctx.status = error.status;
      ctx.set("Retry-After", String(error.details.retry_after ?? 1));
      pages.signIn(ctx, { email, isThrottled: true });
    }
  }

  /** Restarts a sign-in whose interaction a password change has deleted. */
  private async restart(ctx: Context, { uid, returnTo, params }: Interaction): Promise<boolean> {
    if (await this.context.store.findRecord("Interaction", { id: uid })) return false;
    if (params.response_type === undefined) {
      // The device code was already used, so the human must start again in the terminal.
      pages.errorPage(ctx, "Your password was changed, and this sign-in has ended with the old one.");
      return true;
    }
    const path = new URL(returnTo).pathname.replace(/\/[^/]+$/, "");
    ctx.redirect(`${path}?${new URLSearchParams(params as Record<string, string>)}`);
    ctx.status = 303;
    return true;
  }
}

function loginOf(user: User): Login {
  return { accountId: user.id, amr: ["pwd"], acr: acrOf(user) };
}
