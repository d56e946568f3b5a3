/** Signs in the owner of the service on this machine, who proves this with the secret in the data folder. */
import { timingSafeEqual } from "node:crypto";
import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import { WireroomError } from "../../../../src/contract/errors.js";
import { newId } from "../../../../src/kernel/ids.js";
import { jsonReader } from "../../../http/body.js";
import { isSentFromThisMachine } from "../../../http/source.js";
import { parseLocalSignIn } from "../../credentials.js";
import type { IdentityContext } from "../../service.js";
import { CLIENT_ID } from "../clients/own-clients.js";
import { contextOf, issueTokens } from "./issue-tokens.js";

const readJson = jsonReader(8);

/**
 * Returns the route `POST /local`, which needs no e-mail and no password
 * (docs/specification/identity.md#local-sign-in).
 */
export function localSignIn(
  { store, connections, log, sourceOf, now }: IdentityContext,
  accountIssuer: string,
  localSecret: string,
  provider: Provider,
): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  router.post("/local", async (ctx: Context) => {
    const source = sourceOf(ctx.req);
    const refuse = (reason: string): never => {
      log.warn({ event: "sign-in", source, outcome: "refused" }, `local sign-in refused: ${reason}`);
      throw new WireroomError("FORBIDDEN", reason);
    };
    if (!isSentFromThisMachine(ctx.req))
      refuse("a local sign-in must come from a program on the daemon's machine, without a proxy");
    const { secret, email } = parseLocalSignIn(await readJson(ctx));
    if (!equals(secret, localSecret))
      refuse("the secret is not the one in the file local-sign-in of the daemon's data folder");
    const user = await store.getOrCreateLocalUser(email, newId(), now());
    if (user.passwordHash !== "") refuse("the account has a password; sign in with it: wireroom login");
    const identity = { issuer: accountIssuer, subject: user.id, email };
    await connections.logSignIn(identity, {
      ...{ action: "session.local", outcome: "ok", requestId: String(ctx.state.requestId) },
    });
    log.info({ event: "sign-in", user: user.id, source, outcome: "signed in" }, "signed in locally");
    ctx.set("Cache-Control", "no-store");
    ctx.body = await issueTokens(await contextOf(ctx, provider, CLIENT_ID), user, []);
  });
  return router.routes() as unknown as Middleware;
}

function equals(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
