import type { Context } from "koa";
import { WireroomError } from "../../../src/contract/errors.js";
import type { SourceOf } from "../../http/source.js";
import { normalizeEmail } from "../credentials.js";
import type { IdentityStore, User } from "../identity-store.js";
import { type RegistrationRoutesOptions, registrationRoutes } from "../registration/routes.js";
import type { SignIn } from "../sign-in.js";
import type { SourceThrottle } from "../throttle/source-throttle.js";
import { acrOf } from "./account.js";
import { accountForms } from "./account-forms.js";
import { clientMetadata } from "./client.js";
import type { FinishSignIn, Form, Humans, Login } from "./humans.js";
import type { Interaction } from "./interactions.js";
import * as pages from "./pages/index.js";
import { registerPasswordGrant } from "./password-grant.js";

export interface EmbeddedHumansOptions {
  issuer: string;
  /** Whether to support the password grant. */
  passwordGrant: boolean;
  store: IdentityStore;
  signIn: SignIn;
  throttle: SourceThrottle;
  registration: Omit<RegistrationRoutesOptions, "sourceOf">;
  /** Where codes go. */
  codes: "mail" | "log";
  /** Prefix of cookie names. */
  cookiePrefix: string;
  sourceOf: SourceOf;
}

/** Humans with an account of the embedded provider, who sign in with e-mail and password. */
export function embeddedHumans(options: EmbeddedHumansOptions): Humans {
  const { issuer, passwordGrant, store, signIn, throttle, registration, sourceOf } = options;
  const forms = accountForms({
    ...registration,
    cookieName: `${options.cookiePrefix}wireroom_sign_up`,
    countRequest: (source) => throttle.countRequest(source),
  });

  const submitCredentials = async (
    ctx: Context,
    { session }: Interaction,
    { email = "", password = "", code }: Form,
    finish: FinishSignIn,
  ) => {
    try {
      const user = session && (await store.userById(session.accountId));
      const isSignedIn = user?.email === normalizeEmail(email);
      const result = await signIn({ email, password, code, source: sourceOf(ctx.req), isSignedIn });
      if (result.user) return finish(ctx, loginOf(result.user));
      ctx.status = 400;
      pages.signIn(ctx, { email, ...result });
    } catch (error) {
      if (!(error instanceof WireroomError) || error.code !== "RATE_LIMITED") throw error;
      ctx.status = error.status;
      ctx.set("Retry-After", String(error.details.retry_after ?? 1));
      pages.signIn(ctx, { email, isThrottled: true });
    }
  };

  /** The interaction of a browser that was signed in to the account ends with its sessions. */
  const restart =
    ({ uid, returnTo, params }: Interaction) =>
    async (ctx: Context) => {
      if (await store.findRecord("Interaction", { id: uid })) return false;
      if (params.response_type === undefined) {
        // The code of a device is used up.
        pages.errorPage(ctx, "Your password was changed, and this sign-in has ended with the old one.");
        return true;
      }
      const path = new URL(returnTo).pathname.replace(/\/[^/]+$/, "");
      ctx.redirect(`${path}?${new URLSearchParams(params as Record<string, string>)}`);
      ctx.status = 303;
      return true;
    };

  return {
    clients: [clientMetadata(passwordGrant)],
    hasVersions: true,
    routes: [
      (ctx, next) => {
        pages.stateOf(ctx).codes = options.codes;
        return next();
      },
      registrationRoutes({ ...registration, sourceOf }),
    ],
    addGrantTypes(provider, errors) {
      if (passwordGrant) registerPasswordGrant(provider, signIn, sourceOf, errors);
    },
    async find(accountId) {
      const user = await store.userById(accountId);
      if (!user) return undefined;
      return { accountId, identity: { issuer, subject: user.id, email: user.email }, version: acrOf(user) };
    },
    keyOf: (accountId) => accountId,
    showSignIn(ctx) {
      if (!forms.show(ctx)) pages.signIn(ctx, {});
    },
    async submit(ctx, interaction, form, finish) {
      if (form.action === "sign-in") await submitCredentials(ctx, interaction, form, finish);
      else return forms.submit(ctx, form, sourceOf(ctx.req), finish, restart(interaction));
      return true;
    },
  };
}

function loginOf(user: User): Login {
  return { accountId: user.id, amr: ["pwd"], acr: acrOf(user) };
}
