import type { Middleware } from "koa";
import type { Accounts } from "./accounts.js";
import { readJson } from "./body.js";
import { parseCredentials } from "./credentials.js";

/**
 * `POST /sign-up`, `/confirm` and `/resend`: JSON in, an empty object out, whatever the address is (decisions, section
 * 10). Errors are thrown as `WireroomError`, and become the service's envelope where all errors do.
 */
export function signUpRoutes(accounts: Accounts): Middleware {
  const routes: Record<string, { status: number; run: (body: unknown) => Promise<void> }> = {
    "/sign-up": {
      status: 202,
      async run(body) {
        const { email, password } = parseCredentials(body, ["email", "password"]);
        await accounts.signUp(email, password);
      },
    },
    "/confirm": {
      status: 200,
      async run(body) {
        const { email, code } = parseCredentials(body, ["email", "code"]);
        await accounts.confirm(email, code);
      },
    },
    "/resend": {
      status: 202,
      async run(body) {
        await accounts.resend(parseCredentials(body, ["email"]).email);
      },
    },
  };

  return async (ctx, next) => {
    const route = ctx.method === "POST" && Object.hasOwn(routes, ctx.path) ? routes[ctx.path] : undefined;
    if (!route) return next();
    await route.run(await readJson(ctx));
    ctx.status = route.status;
    ctx.body = {};
  };
}
