/** Serves the console, the web page for humans, whose files the build makes from `daemon/console/page`. */
import type { Context as KoaContext, Middleware } from "koa";
import { stateOf } from "../http/request-state.js";
import { type ConsoleFiles, readConsoleFiles } from "./files.js";

/** The paths of the console. */
export const CONSOLE_PATHS = /^\/console(\/|$)/;

/**
 * The page runs and loads its own files alone, and no other page may frame it. Its data comes from the API of
 * the same origin. https://www.w3.org/TR/CSP3/
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src", "manifest-src", "worker-src"].map(
    (directive) => `${directive} 'self'`,
  ),
  ...["frame-ancestors", "base-uri", "form-action"].map((directive) => `${directive} 'none'`),
].join("; ");

/**
 * Returns middleware for the paths below `/console`: a file of the build, or the page. A missing asset is
 * 404, because a script that gets a page fails with a confusing error.
 * @param origin the public origin, at which the page signs in
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
    // Otherwise its scope would be `/console/`, without the page at `/console`.
    if (path === "worker.js") ctx.set("Service-Worker-Allowed", "/console");
    ctx.type = shown.type;
    const encoding = (["br", "gzip"] as const).find((name) => shown[name] && accepts(ctx, name));
    if (encoding) ctx.set("Content-Encoding", encoding);
    ctx.body = shown[encoding ?? "bytes"];
    return undefined;
  };
}

/** Whether the client accepts an encoding, whichever it prefers (RFC 9110, section 12.5.3). */
function accepts(ctx: KoaContext, encoding: string): boolean {
  return ctx.get("accept-encoding") !== "" && ctx.acceptsEncodings(encoding) === encoding;
}
