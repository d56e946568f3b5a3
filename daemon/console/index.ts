/** Serves the console, the web page for humans. The build makes its files from `daemon/console/page`. */
import type { Context as KoaContext, Middleware } from "koa";
import { stateOf } from "../http/request.js";
import { type ConsoleFiles, readConsoleFiles } from "./files.js";

/** The paths of the console. */
export const CONSOLE_PATHS = /^\/console(\/|$)/;

/**
 * Allows only the console's own files and requests to its own origin, where the API is. No page may frame the
 * console. https://www.w3.org/TR/CSP3/
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src", "manifest-src", "worker-src"].map(
    (directive) => `${directive} 'self'`,
  ),
  ...["frame-ancestors", "base-uri", "form-action"].map((directive) => `${directive} 'none'`),
].join("; ");

/**
 * Returns middleware that serves the paths below `/console`: the file of that name, or else the HTML page. A
 * missing asset gets 404 instead of the page, because HTML in place of a script causes a confusing error.
 * @param origin the daemon's public origin; the page signs in only there
 */
export function consolePage(origin: string, identity: "embedded" | "external"): Middleware {
  let files: ConsoleFiles | undefined;
  return (ctx, next) => {
    if (ctx.method !== "GET" && ctx.method !== "HEAD") return next();
    stateOf(ctx).operation = "console";
    files ??= readConsoleFiles({ ORIGIN: origin, IDENTITY: identity });
    const path = ctx.path.slice("/console/".length);
    const file = files.get(path);
    const isAsset = path.startsWith("assets/");
    if (!file && isAsset) return next();
    const shown = file ?? files.get("index.html")!;
    ctx.set({
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cache-Control": isAsset ? "public, max-age=31536000, immutable" : file ? "no-cache" : "no-store",
      Vary: "Accept-Encoding",
    });
    // By default the worker's scope is its folder, `/console/`, which does not cover the page at `/console`.
    if (path === "worker.js") ctx.set("Service-Worker-Allowed", "/console");
    ctx.type = shown.type;
    const encoding = (["br", "gzip"] as const).find((name) => shown[name] && accepts(ctx, name));
    if (encoding) ctx.set("Content-Encoding", encoding);
    ctx.body = shown[encoding ?? "bytes"];
    return undefined;
  };
}

/** Returns whether the client accepts an encoding, ignoring its preferences (RFC 9110, section 12.5.3). */
function accepts(ctx: KoaContext, encoding: string): boolean {
  return ctx.get("accept-encoding") !== "" && ctx.acceptsEncodings(encoding) === encoding;
}
