import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import { WireroomError } from "../../../src/contract/errors.js";
import { formReader } from "../../http/body.js";
import type { Accounts } from "../accounts.js";
import type { IdentityStore } from "../identity-store.js";
import * as pages from "./pages.js";

export interface InteractionOptions {
  provider: Provider;
  accounts: Accounts;
  store: IdentityStore;
}

const readForm = formReader(64);

type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/**
 * `/interaction/{uid}`: where the provider sends a browser that has to sign in. The interaction is bound to a signed
 * cookie of that very path, SameSite=Lax, so that no other site can submit these forms.
 */
export function interactionRoutes({ provider, accounts, store }: InteractionOptions): Middleware {
  const show = async (ctx: Context, interaction: Interaction) => {
    const user = interaction.prompt.name === "consent" ? await signedIn(interaction) : undefined;
    if (user) pages.goOn(ctx, user.email);
    else pages.signIn(ctx, {});
  };

  const signedIn = async ({ session }: Interaction) =>
    session ? store.userById(session.accountId) : undefined;

  const submit = async (ctx: Context, interaction: Interaction) => {
    const form = await readForm(ctx);
    switch (form.action) {
      case "sign-in":
        return signIn(ctx, form.email ?? "", form.password ?? "");
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

  const signIn = async (ctx: Context, email: string, password: string) => {
    try {
      const user = await accounts.signIn(email, password);
      // Signing in is consent as well: the only client is Wireroom's own.
      if (user) return finish(ctx, { login: { accountId: user.id, amr: ["pwd"] }, consent: {} }, false);
      ctx.status = 400;
      pages.signIn(ctx, { email, problem: "The e-mail address or the password is wrong." });
    } catch (error) {
      if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") throw error;
      ctx.status = error.status;
      ctx.set("Retry-After", String(error.details.retry_after ?? 1));
      pages.signIn(ctx, { email, problem: "Too many tries. Wait a while, then try again." });
    }
  };

  const finish = async (ctx: Context, result: InteractionResults, mergeWithLastSubmission: boolean) => {
    const returnTo = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission });
    ctx.redirect(returnTo);
    ctx.status = 303;
  };

  const handle = async (ctx: Context) => {
    const [uid] = ctx.captures as [string];
    const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
      if ((error as { name?: string }).name === "SessionNotFound") return undefined;
      throw error;
    });
    if (interaction?.uid !== uid) {
      ctx.status = 400;
      return pages.failed(ctx, "This sign-in has expired, or was started in another browser.");
    }
    if (ctx.method === "POST") await submit(ctx, interaction);
    else await show(ctx, interaction);
  };

  const router = new Router();
  router.register(/^\/interaction\/([\w-]+)$/, ["GET", "POST"], handle, { pathAsRegExp: true });
  return router.routes() as unknown as Middleware;
}
