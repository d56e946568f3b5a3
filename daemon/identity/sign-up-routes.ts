import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import { jsonReader } from "../http/body.js";
import type { Accounts } from "./accounts.js";
import { parseCredentials } from "./credentials.js";

/** A password of 1,024 characters fits many times. */
const readJson = jsonReader(64);

/**
 * `POST /sign-up`, `/confirm` and `/resend`: JSON in, an empty object out, whether or not the address has an account. Errors
 * are thrown as `WireroomError`, and answered where all errors are.
 */
export function signUpRoutes(accounts: Accounts): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.post("/sign-up", async (ctx: Context) => {
    const { email, password } = parseCredentials(await readJson(ctx), ["email", "password"]);
    await accounts.signUp(email, password);
    answerEmpty(ctx, 202);
  });
  router.post("/confirm", async (ctx: Context) => {
    const { email, code } = parseCredentials(await readJson(ctx), ["email", "code"]);
    await accounts.confirm(email, code);
    answerEmpty(ctx, 200);
  });
  router.post("/resend", async (ctx: Context) => {
    const { email } = parseCredentials(await readJson(ctx), ["email"]);
    await accounts.resend(email);
    answerEmpty(ctx, 202);
  });
  return router.routes() as unknown as Middleware;
}

function answerEmpty(ctx: Context, status: number): void {
  ctx.status = status;
  ctx.body = {};
}
