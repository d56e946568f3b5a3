import type { Context } from "koa";
import { WireroomError } from "../../../../src/contract/errors.js";
import { parseCredentials } from "../../credentials.js";
import type { PasswordChanges } from "../../registration/password-changes.js";
import type { SignUps } from "../../registration/sign-ups.js";
import type { IdentityContext } from "../../service.js";
import * as pages from "../pages/index.js";
import { cookiePrefix } from "./cookies.js";
import type { FinishSignIn, Form } from "./humans.js";

/** Time in which a browser can confirm its sign-up. It equals an interaction's lifetime. */
const COOKIE_TTL_MS = 30 * 60_000;

/** The forms for sign-up and forgotten passwords, to which the sign-in page links. */
export function accountForms(
  { throttle, publicOrigin }: IdentityContext,
  signUps: SignUps,
  passwordChanges: PasswordChanges,
) {
  /** Name of the cookie that identifies the browser's sign-up. */
  const cookieName = `${cookiePrefix(publicOrigin)}wireroom_sign_up`;
  // The signed cookie replaces the password, so the code works only in the browser where the human signed up.
  const cookie = (ctx: Context) => {
    const { pathname: path } = new URL(ctx.originalUrl, "http://localhost");
    return { signed: true, httpOnly: true, sameSite: "lax", overwrite: true, path } as const;
  };

  /** The forms, keyed by action. Each has a page that shows its errors. */
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
        const id = await signUps.signUp({
          ...parseCredentials({ email, password }, ["email", "password"]),
          source,
        });
        ctx.cookies.set(cookieName, id, { ...cookie(ctx), maxAge: COOKIE_TTL_MS });
        pages.confirm(ctx, {});
      },
    },
    confirm: {
      show: pages.confirm,
      async submit(ctx, form, source, finish) {
        const { code } = parseCredentials({ code: form.code }, ["code"]);
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
        const input = parseCredentials({ email, code, password }, ["email", "code", "password"]);
        await passwordChanges.reset({ ...input, source });
        if (!(await restart(ctx))) pages.signIn(ctx, { email: input.email, isChanged: true });
      },
    },
  };

  return {
    /** Shows the page that the URL names. Returns false if the page does not exist. */
    show(ctx: Context): boolean {
      const { page } = ctx.query;
      if (page !== "sign-up" && page !== "forgot") return false;
      forms[page]!.show(ctx, {});
      return true;
    },

    /**
     * Handles a submitted form. Returns false if the form belongs to another page.
     * @param restart see {@link Restart}
     */
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

const LABELS: Record<string, string> = { email: "e-mail address", password: "password", code: "code" };

/** Returns an error's reasons as sentences, such as "The password must have at least 8 characters." */
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
