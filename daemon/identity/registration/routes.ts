import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import { WireroomError } from "../../../src/contract/errors.js";
import { jsonReader } from "../../http/body.js";
import { parseCredentials, parsePasswordChange, parseSignUp } from "../credentials.js";
import type { IdentityContext } from "../service.js";
import type { Verify } from "../verifier.js";
import type { PasswordChanges } from "./password-changes.js";
import type { SignUps } from "./sign-ups.js";

/** The limit, in KiB, is far above the size of two passwords of maximum length. */
const readJson = jsonReader(64);

/**
 * Returns the routes for sign-up and passwords. They accept JSON and return an empty object, even if the
 * address has no account.
 * @param verifySession verifies an ID token; throws FORBIDDEN if it is invalid or its sign-in has ended
 */
export function registrationRoutes(
  { sourceOf }: IdentityContext,
  signUps: SignUps,
  passwordChanges: PasswordChanges,
  verifySession: Verify,
): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const source = (ctx: Context) => sourceOf(ctx.req);
  /** Returns undefined if the request has no ID token. */
  const sessionOf = async (ctx: Context) => {
    const authorization = ctx.get("authorization");
    return authorization === "" ? undefined : verifySession(authorization);
  };

  // A second sign-up with the same password continues the first one and requests another code.
  router.post(["/sign-up", "/resend"], async (ctx: Context) => {
    const input = parseSignUp(await readJson(ctx));
    await signUps.signUp({ ...input, source: source(ctx) });
    sendEmptyObject(ctx, 202);
  });
  router.post("/confirm", async (ctx: Context) => {
    const input = parseCredentials(await readJson(ctx), ["email", "code", "password"]);
    const localUserId = (await sessionOf(ctx))?.subject;
    await signUps.confirm({ ...input, source: source(ctx), localUserId });
    sendEmptyObject(ctx, 200);
  });
  router.post("/forgot", async (ctx: Context) => {
    const { email } = parseCredentials(await readJson(ctx), ["email"]);
    await passwordChanges.forgot({ email, source: source(ctx) });
    sendEmptyObject(ctx, 202);
  });
  router.post("/reset", async (ctx: Context) => {
    const input = parseCredentials(await readJson(ctx), ["email", "code", "password"]);
    await passwordChanges.reset({ ...input, source: source(ctx) });
    sendEmptyObject(ctx, 200);
  });
  router.post("/password", async (ctx: Context) => {
    const fields = parsePasswordChange(await readJson(ctx));
    const { email, password, new_password: newPassword } = fields;
    const session = await sessionOf(ctx);
    if (session && session.email !== email)
      throw new WireroomError("FORBIDDEN", "the ID token is for another e-mail address");
    await passwordChanges.change({
      ...{ email, password, newPassword, source: source(ctx) },
      isSignedIn: session !== undefined,
      keptGrantId: session?.grantId,
    });
    sendEmptyObject(ctx, 200);
  });
  return router.routes() as unknown as Middleware;
}

function sendEmptyObject(ctx: Context, status: number): void {
  ctx.status = status;
  ctx.body = {};
}
