import type { Context } from "koa";
import { WireroomError } from "../../../../src/contract/errors.js";
import { parseCredentials, parseSignUp } from "../../credentials.js";
import type { PasswordChanges } from "../../registration/password-changes.js";
import type { SignUps } from "../../registration/sign-ups.js";
import type { IdentityContext } from "../../service.js";
import * as pages from "../pages/index.js";
import { cookiePrefix } from "./cookies.js";
import type { FinishSignIn, Form } from "./humans.js";

/** The lifetime of oidc-provider's interactions. */
const COOKIE_TTL_MS = 30 * 60_000;

export function accountForms(
  { throttle, publicOrigin }: IdentityContext,
  signUps: SignUps,
  passwordChanges: PasswordChanges,
) {
  const cookieName = `${cookiePrefix(publicOrigin)}wireroom_sign_up`;
  // The signed cookie replaces the password, so a code works only in the browser that signed up.
  const cookie = (ctx: Context) => {
    const { pathname: path } = new URL(ctx.originalUrl, "http://localhost");
    return { signed: true, httpOnly: true, sameSite: "lax", overwrite: true, path } as const;
  };

  const forms: Record<
    string,
    {
      show: Page;
      submit(ctx: Context, form: Form, source: string, finish: FinishSignIn, restart: Restart): Promise<void>;
    }
  > = {
    "sign-up": {
      show: pages.signUp,
      async submit(ctx, { email, password }, source) {
        const id = await signUps.signUp({ ...parseSignUp({ email, password }), source });
        ctx.cookies.set(cookieName, id, { ...cookie(ctx), maxAge: COOKIE_TTL_MS });
        pages.confirm(ctx, {});
      },
    },
    confirm: {
      show: pages.confirm,
      async submit(ctx, form, source, finish) {
        const { code } = parseCredentials({ code: withoutSpaces(form.code) }, ["code"]);
        const id = ctx.cookies.get(cookieName, { signed: true }) ?? "";
        const accountId = await signUps.confirmById({ id, code, source });
        ctx.cookies.set(cookieName, null, cookie(ctx));
        await finish(ctx, { accountId, amr: ["pwd"] });
      },
    },
    forgot: {
      show: pages.forgot,
      async submit(ctx, form, source) {
        const { email } = parseCredentials({ email: form.email }, ["email"]);
        await passwordChanges.forgot({ email, source });
        pages.reset(ctx, { email });
      },
    },
    reset: {
      show: pages.reset,
      async submit(ctx, { email, code, password }, source, _finish, restart) {
        const input = parseCredentials({ email, code: withoutSpaces(code), password }, [
          "email",
          "code",
          "password",
        ]);
        await passwordChanges.reset({ ...input, source });
        if (!(await restart(ctx))) pages.signIn(ctx, { email: input.email, isChanged: true });
      },
    },
  };

  return {
    /** Returns false if the URL names no page. */
    show(ctx: Context): boolean {
      const { page } = ctx.query;
      if (page !== "sign-up" && page !== "forgot") return false;
      forms[page]!.show(ctx, {});
      return true;
    },

    async submit(
      ctx: Context,
      form: Form,
      source: string,
      finish: FinishSignIn,
      restart: Restart,
    ): Promise<boolean> {
      const { action = "", email } = form;
      const known = Object.hasOwn(forms, action) ? forms[action]! : undefined;
      if (!known) return false;
      try {
        throttle.countRequest(source);
        await known.submit(ctx, form, source, finish, restart);
      } catch (error) {
        if (!(error instanceof WireroomError) || !["VALIDATION_ERROR", "RATE_LIMITED"].includes(error.code))
          throw error;
        ctx.status = error.status;
        if (error.code === "RATE_LIMITED") ctx.set("Retry-After", String(error.details.retry_after ?? 1));
        known.show(ctx, { email, problems: problemsOf(error) });
      }
      return true;
    },
  };
}

/** Restarts a sign-in that a password change has ended. Returns false if the sign-in is still valid. */
export type Restart = (ctx: Context) => Promise<boolean>;

type Page = (
  ctx: Context,
  view: { email?: string | undefined; problems?: readonly pages.Problem[] | undefined },
) => void;

/** Humans copy codes with spaces. */
const withoutSpaces = (code: string | undefined) => code?.replace(/\s/g, "");

const LABELS: Record<string, string> = { email: "e-mail address", password: "password", code: "code" };

/** Returns sentences, such as "The password must have at least 8 characters." */
function problemsOf({ code, message, details }: WireroomError): pages.Problem[] {
  if (code === "RATE_LIMITED") return [{ text: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` }];
  const reasons = (details.errors ?? []) as { instancePath: string; message: string }[];
  return reasons.map(({ instancePath, message }) => {
    const field = instancePath.slice(1);
    const label = LABELS[field];
    return label === undefined
      ? { text: "Fill in all fields." }
      : { field, text: `The ${label} ${message}.` };
  });
}
