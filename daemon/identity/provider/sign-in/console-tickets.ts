/** Tickets that open the console signed in (docs/specification/console.md#tickets). */
import { Router } from "@koa/router";
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import { invalid, WireroomError } from "../../../../src/contract/errors.js";
import { MINUTE, SECOND } from "../../../../src/kernel/clock.js";
import { sha256 } from "../../../../src/kernel/hash.js";
import { newSecret } from "../../../../src/kernel/ids.js";
import { jsonReader } from "../../../http/body.js";
import type { IdentityContext } from "../../service.js";
import type { Verify } from "../../verifier.js";
import { CONSOLE_CLIENT_ID } from "../clients/own-clients.js";
import { setConsoleCookie } from "./console-session.js";
import { contextOf, issueTokens } from "./issue-tokens.js";

const MODEL = "ConsoleTicket";
const TTL_MS = MINUTE;

const readJson = jsonReader(8);

/** @param verifySession verifies an ID token; throws FORBIDDEN if it is invalid or its sign-in has ended */
export function consoleTickets(
  { publicOrigin, store, connections, log, sourceOf, now }: IdentityContext,
  { accountIssuer, verifySession }: { accountIssuer: string; verifySession: Verify },
  provider: Provider,
): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  const entryOf = (ctx: Context, outcome: "ok" | "FORBIDDEN") => ({
    ...{ action: "ticket.issued" as const, outcome, requestId: String(ctx.state.requestId) },
  });

  router.post("/console-ticket", async (ctx: Context) => {
    const identity = await verifySession(ctx.get("authorization"));
    const ticket = newSecret();
    await connections.logSignIn(identity, entryOf(ctx, "ok"));
    await store.saveRecord({
      ...{ model: MODEL, id: sha256(ticket), payload: JSON.stringify({ source: sourceOf(ctx.req) }) },
      ...{ human: identity.subject, grantId: identity.grantId ?? null, userCode: null, uid: null },
      ...{ consumedAt: null, expiresAt: now() + TTL_MS },
    });
    ctx.set("Cache-Control", "no-store");
    // The ticket is in the fragment, which no request, log or referrer contains.
    ctx.body = { url: `${publicOrigin}/console#ticket=${ticket}`, expires_in: TTL_MS / SECOND };
  });

  router.post("/console-session", async (ctx: Context) => {
    if (ctx.get("origin") !== publicOrigin)
      throw new WireroomError("FORBIDDEN", `the header Origin must be ${publicOrigin}`);
    const { ticket, email } = await readJson(ctx);
    if (typeof ticket !== "string")
      throw invalid({ instancePath: "/ticket", keyword: "type", message: "must be a string" });
    const record = await store.findRecord(MODEL, { id: sha256(ticket) });
    const user = record && (await store.userById(record.human!));
    if (!user || !(await isValid(record))) throw refused(ctx);
    const { source } = JSON.parse(record.payload) as { source: string };
    // Ask the human first, because a stranger may have sent the link to lure the human into the stranger's
    // account.
    if (record.consumedAt === null && source !== sourceOf(ctx.req) && email !== user.email) {
      ctx.body = { email: user.email };
      return;
    }
    if (!(await store.consumeRecord(MODEL, record.id, now()))) {
      const identity = { issuer: accountIssuer, subject: user.id, email: user.email };
      await connections.logSignIn(identity, entryOf(ctx, "FORBIDDEN"));
      throw refused(ctx);
    }
    const tokens = await issueTokens(await contextOf(ctx, provider, CONSOLE_CLIENT_ID), user, []);
    setConsoleCookie(ctx, {
      publicOrigin,
      mountPath: new URL(accountIssuer).pathname,
      value: tokens.refresh_token,
    });
    log.info(
      { event: "sign-in", user: user.id, source: sourceOf(ctx.req), outcome: "signed in" },
      "signed in with a ticket",
    );
    ctx.set("Cache-Control", "no-store");
    ctx.status = 204;
  });

  /** Returns false if the ticket has expired, or if the sign-in that requested it has ended. */
  const isValid = async ({ expiresAt, grantId }: { expiresAt: number; grantId: string | null }) => {
    const leftMs = expiresAt - now();
    // If the clock was set back, more time is left than a ticket's lifetime.
    const isInTime = leftMs > 0 && leftMs <= TTL_MS;
    return isInTime && (grantId === null || (await store.isSignedIn(grantId, now())));
  };
  const refused = (ctx: Context) => {
    log.warn({ event: "sign-in", source: sourceOf(ctx.req), outcome: "refused" }, "console ticket refused");
    const message =
      "this ticket was already used, is older than a minute, or never existed; get a new one: wireroom console";
    return new WireroomError("FORBIDDEN", message);
  };
  return router.routes() as unknown as Middleware;
}
