/**
 * The endpoint from which the console gets ID tokens. The browser keeps the refresh token in a cookie that
 * scripts cannot read and that is sent only to this path (docs/specification/console.md#sign-in).
 */
import { Readable } from "node:stream";
import type { Context, Middleware } from "koa";
import { DAY } from "../../../../src/kernel/clock.js";
import { jsonReader } from "../../../http/body.js";
import type { IdentityContext } from "../../service.js";
import { CONSOLE_CLIENT_ID, CONSOLE_REDIRECT_PATH } from "../clients/own-clients.js";
import type { Grants } from "../records/grants.js";
import { cookiePrefix } from "./cookies.js";

const PATH = "/console/session";
/** The refresh token's lifetime. */
const COOKIE_MAX_AGE_MS = 30 * DAY;

const readJson = jsonReader(8);

export function isConsoleSession(ctx: { state?: { isConsoleSession?: boolean } }): boolean {
  return ctx.state?.isConsoleSession === true;
}

/**
 * Returns middleware for `POST` and `DELETE /console/session`. A `POST` becomes a request to the token
 * endpoint, with an authorization code or the cookie's refresh token. A `DELETE` signs out. Both require the
 * header `Origin` with the daemon's origin, which other sites cannot send.
 * @param sessionCookie name of the cookie that identifies the browser's session at the sign-in page
 */
export function consoleSession(
  { publicOrigin, store }: IdentityContext,
  mountPath: string,
  grants: Grants,
  sessionCookie: string,
): Middleware {
  const cookieName = cookieNameOf(publicOrigin);
  const setCookie = (ctx: Context, value: string | null) =>
    setConsoleCookie(ctx, { publicOrigin, mountPath, value });

  const renew = async (ctx: Context, next: () => Promise<unknown>) => {
    const { grant_type: grantType, code, code_verifier: verifier } = await readJson(ctx);
    const cookie = ctx.cookies.get(cookieName, { signed: false });
    if (grantType === "refresh_token" && cookie === undefined) return refuse(ctx, 401, "no session; sign in");
    const fields: Record<string, string> =
      grantType === "refresh_token"
        ? { grant_type: grantType, refresh_token: cookie! }
        : {
            grant_type: "authorization_code",
            code: typeof code === "string" ? code : "",
            code_verifier: typeof verifier === "string" ? verifier : "",
            redirect_uri: `${publicOrigin}${CONSOLE_REDIRECT_PATH}`,
          };
    ctx.state.isConsoleSession = true;
    sendForm(ctx, "/token", { ...fields, client_id: CONSOLE_CLIENT_ID });
    await next();
    const answer = ctx.body as { id_token?: string; expires_in?: number; refresh_token?: string };
    if (ctx.status !== 200) {
      // Delete the cookie if its refresh token is rejected permanently. A rejected code says nothing about
      // the cookie.
      if (grantType === "refresh_token" && ctx.status < 429) setCookie(ctx, null);
      return;
    }
    setCookie(ctx, answer.refresh_token!);
    ctx.body = { id_token: answer.id_token, expires_in: answer.expires_in };
  };

  const end = async (ctx: Context) => {
    const token = ctx.cookies.get(cookieName, { signed: false });
    if (token !== undefined) await grants.endGrantOf(token);
    const session = ctx.cookies.get(sessionCookie, { signed: true });
    if (session !== undefined) await store.deleteRecord("Session", session);
    setCookie(ctx, null);
    ctx.cookies.set(sessionCookie, null, { path: mountPath, signed: true });
    ctx.status = 204;
  };

  return async (ctx, next) => {
    if (ctx.path !== PATH || (ctx.method !== "POST" && ctx.method !== "DELETE")) return next();
    ctx.set("Cache-Control", "no-store");
    if (ctx.get("origin") !== publicOrigin)
      return refuse(ctx, 403, `the header Origin must be ${publicOrigin}`);
    return ctx.method === "POST" ? renew(ctx, next) : end(ctx);
  };
}

function cookieNameOf(publicOrigin: string): string {
  return `${cookiePrefix(publicOrigin)}wireroom_console`;
}

/** @param cookie `value` is the session's refresh token, or null to delete the cookie */
export function setConsoleCookie(
  ctx: Context,
  { publicOrigin, mountPath, value }: { publicOrigin: string; mountPath: string; value: string | null },
): void {
  ctx.cookies.set(cookieNameOf(publicOrigin), value, {
    path: `${mountPath}${PATH}`,
    httpOnly: true,
    sameSite: "strict",
    signed: false,
    overwrite: true,
    ...(value !== null && { maxAge: COOKIE_MAX_AGE_MS }),
  });
}

function refuse(ctx: Context, status: number, description: string): void {
  ctx.status = status;
  ctx.body = { error: status === 401 ? "invalid_grant" : "access_denied", error_description: description };
}

/** Turns the request into a form request for another path, because its body was already read. */
function sendForm(ctx: Context, path: string, fields: Record<string, string>): void {
  const body = Buffer.from(new URLSearchParams(fields).toString());
  const { socket, method, httpVersion, headers } = ctx.req;
  const request = Object.assign(Readable.from([body]), {
    ...{ socket, method, httpVersion, url: path },
    headers: {
      ...headers,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(body.length),
    },
  });
  ctx.req = ctx.request.req = request as unknown as typeof ctx.req;
}
