import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import { WireroomError } from "../../../src/contract/errors.js";
import { formReader } from "../../http/body.js";
import type { SourceOf } from "../../http/source.js";
import type { IdentityStore } from "../identity-store.js";
import type { SignIn } from "../sign-in.js";
import { acrOf } from "./account.js";
import { type AccountFormsOptions, accountForms } from "./account-forms.js";
import * as pages from "./pages/index.js";

export interface InteractionOptions {
  provider: Provider;
  signIn: SignIn;
  sourceOf: SourceOf;
  store: IdentityStore;
  accountForms: Omit<AccountFormsOptions, "finish">;
}

const readForm = formReader(64);

type Form = Record<string, string>;
type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/**
 * Routes of `/interaction/{uid}`, the sign-in form to which oidc-provider redirects a browser. A signed cookie for this path
 * identifies the interaction. The cookie has SameSite=Lax, so that other sites cannot submit the form.
 */
export function interactionRoutes(options: InteractionOptions): Middleware {
  const { provider, signIn, sourceOf, store } = options;

  const show = async (ctx: Context, interaction: Interaction) => {
    if (forms.show(ctx)) return;
    const user = interaction.prompt.name === "consent" ? await signedIn(interaction) : undefined;
    if (user) pages.confirmSignIn(ctx, user.email);
    else pages.signIn(ctx, {});
  };

  const signedIn = async ({ session }: Interaction) =>
    session ? store.userById(session.accountId) : undefined;

  const submit = async (ctx: Context, interaction: Interaction) => {
    const form = await readForm(ctx);
    if (await forms.submit(ctx, form, sourceOf(ctx.req))) return;
    switch (form.action) {
      case "sign-in":
        return submitCredentials(ctx, form);
      case "continue":
        if (interaction.prompt.name !== "consent" || !(await signedIn(interaction)))
          return show(ctx, interaction);
        return finish(ctx, { consent: {} }, true);
      case "switch":
        return pages.signIn(ctx, {});
      default:
        return finish(ctx, { error: "access_denied", error_description: "the sign-in was cancelled" }, false);
    }
  };

  const submitCredentials = async (ctx: Context, { email = "", password = "", code }: Form) => {
    try {
      const result = await signIn({ email, password, code, source: sourceOf(ctx.req) });
      // A sign-in implies consent, because the only client is Wireroom's own.
      if (result.user) {
        const { id: accountId } = result.user;
        const login = { accountId, amr: ["pwd"], acr: acrOf(result.user) };
        return finish(ctx, { login, consent: {} }, false);
      }
      ctx.status = 400;
      pages.signIn(ctx, { email, ...result });
    } catch (error) {
      if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") throw error;
      ctx.status = error.status;
      ctx.set("Retry-After", String(error.details.retry_after ?? 1));
      pages.signIn(ctx, { email, isThrottled: true });
    }
  };

  const finish = async (ctx: Context, result: InteractionResults, mergeWithLastSubmission: boolean) => {
    const returnTo = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission });
    ctx.redirect(returnTo);
    ctx.status = 303;
  };

  const forms = accountForms({
    ...options.accountForms,
    finish: (ctx, result) => finish(ctx, result, false),
  });

  const handle = async (ctx: Context) => {
    const [uid] = ctx.captures as [string];
    const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
      if ((error as { name?: string }).name === "SessionNotFound") return undefined;
      throw error;
    });
    if (interaction?.uid !== uid) {
      ctx.status = 400;
      return pages.errorPage(ctx, "This sign-in has expired, or it was started in another browser.");
    }
    if (ctx.method === "POST") await submit(ctx, interaction);
    else await show(ctx, interaction);
  };

  const router = new Router();
  router.register(/^\/interaction\/([\w-]+)$/, ["GET", "POST"], handle, { pathAsRegExp: true });
  return router.routes() as unknown as Middleware;
}
