/** The sign-in and consent pages, to which oidc-provider redirects the browser. */
import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import { formReader } from "../../../http/body.js";
import { CONSOLE_CLIENT_ID, isApplication } from "../clients/own-clients.js";
import * as pages from "../pages/index.js";
import { showTooManyRequests } from "../requests/throttle-requests.js";
import type { Consent } from "./consent.js";
import type { FormTokens } from "./form-tokens.js";
import type { Finish, Human, Humans, Interaction, Login } from "./humans.js";

const readForm = formReader(64);

/**
 * Returns routes for `/interaction/{uid}`, the pages to which oidc-provider redirects the browser. A signed
 * cookie for this path identifies the interaction. The cookie has SameSite=Lax, so that other sites cannot
 * submit a form.
 *
 * The human signs in first. Wireroom's own clients then require a confirmation unless the human has just
 * signed in. An application always requires the human's consent.
 * @param countForm counts a form that writes to the database; throws RATE_LIMITED if there were too many
 */
export function interactionRoutes(
  provider: Provider,
  humans: Humans,
  consent: Consent,
  formTokens: FormTokens,
  countForm: () => void,
): Middleware {
  const show = async (ctx: Context, interaction: Interaction) => {
    const human = await signedIn(interaction);
    if (!human || ctx.query.page !== undefined)
      return humans.showSignIn(ctx, interaction, interaction.params.prompt === "login");
    if (isApplicationOf(interaction)) return consent.show(ctx, interaction, human);
    pages.confirmSignIn(ctx, human.identity.email);
  };

  /** The human who may confirm or approve, or undefined before the sign-in. */
  const signedIn = async ({ prompt, session }: Interaction): Promise<Human | undefined> =>
    prompt.name === "consent" && session ? humans.find(session.accountId) : undefined;

  const submit = async (ctx: Context, interaction: Interaction) => {
    const form = await readForm(ctx);
    const isApplication = isApplicationOf(interaction);
    if (!(await isFirstSubmission(ctx, interaction, form.form_token))) {
      ctx.status = 400;
      pages.stateOf(ctx).notice = "This form was sent already, or is too old. Check it, and send it again.";
      return show(ctx, interaction);
    }
    if (form.action === "refuse" || form.action === "cancel") {
      // An application's form was already counted.
      if (!isApplication) countForm();
      return refuse(ctx);
    }
    const human = await signedIn(interaction);
    if (form.action === "switch") return humans.showSignIn(ctx, interaction, true);
    if (form.action === "approve" && isApplication && human)
      return consent.approve(ctx, interaction, human, form, finish);
    if (form.action === "continue" && !isApplication && human) return finish(ctx, { consent: {} }, true);
    if (!(await humans.submit(ctx, interaction, form, finishSignIn(interaction))))
      await show(ctx, interaction);
  };

  // For Wireroom's own clients, a sign-in implies consent. For applications, it does not.
  const finishSignIn = (interaction: Interaction) => (ctx: Context, login: Login) =>
    finish(ctx, { login: { ...login }, ...(!isApplicationOf(interaction) && { consent: {} }) }, false);

  /** An application's form can be submitted only once. */
  const isFirstSubmission = async (ctx: Context, interaction: Interaction, token: string | undefined) => {
    if (token === undefined || !formTokens.isValid(purposeOf(ctx, interaction), token)) return false;
    if (!isApplicationOf(interaction)) return true;
    countForm();
    return formTokens.use(token);
  };

  const refuse = (ctx: Context) =>
    finish(ctx, { error: "access_denied", error_description: "the sign-in was cancelled" }, false);

  const finish: Finish = async (ctx, result, mergeWithLastSubmission) => {
    const returnTo = await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission });
    ctx.redirect(returnTo);
    ctx.status = 303;
  };

  const answer = async (ctx: Context) => {
    const [uid] = ctx.captures as [string];
    const interaction = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
      if ((error as { name?: string }).name === "SessionNotFound") return undefined;
      throw error;
    });
    const hasExpired =
      interaction?.uid !== uid ||
      (isApplicationOf(interaction) && !(await consent.prepare(ctx, interaction)));
    if (hasExpired) {
      ctx.status = 400;
      return pages.errorPage(ctx, "This sign-in has expired, or it was started in another browser.");
    }
    pages.stateOf(ctx).isConsole = interaction.params.client_id === CONSOLE_CLIENT_ID;
    pages.stateOf(ctx).formToken = formTokens.create(purposeOf(ctx, interaction));
    if (ctx.method === "POST") await submit(ctx, interaction);
    else if (!(await humans.receive?.(ctx, interaction, finishSignIn(interaction))))
      await show(ctx, interaction);
  };

  const handle = (ctx: Context) => answer(ctx).catch((error: unknown) => showTooManyRequests(ctx, error));

  const router = new Router();
  router.register(/^\/interaction\/([\w-]+)$/, ["GET", "POST"], handle, { pathAsRegExp: true });
  return router.routes() as unknown as Middleware;
}

/**
 * Includes the application's name and host, so that a form becomes invalid if the metadata changes after the
 * human saw it.
 */
function purposeOf(ctx: Context, { uid }: Interaction): string {
  return JSON.stringify([uid, pages.stateOf(ctx).requester]);
}

function isApplicationOf({ params }: Interaction): boolean {
  return isApplication(params.client_id as string);
}
