/** Serves the console, the web page for humans. The build creates its files from `daemon/console/page`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Context as KoaContext, Middleware } from "koa";
import { packageFile } from "../../src/kernel/package-file.js";
import { stateOf } from "../http/request.js";

/** Images have no compressed copies, because their formats are already compressed. */
interface ConsoleFile {
  type: string;
  bytes: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}

/** Keyed by the file's path below `/console/`. */
type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

export const CONSOLE_PATHS = /^\/console(\/|$)/;

/**
 * Allows the page to load only the console's own files and to send requests only to its own origin, where the
 * API is. No other page may embed the console in a frame. https://www.w3.org/TR/CSP3/
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  ...["script-src", "style-src", "img-src", "connect-src", "manifest-src", "worker-src"].map(
    (directive) => `${directive} 'self'`,
  ),
  ...["frame-ancestors", "base-uri", "form-action"].map((directive) => `${directive} 'none'`),
].join("; ");

/**
 * Serves the console file that the path names, or else the HTML page. A missing asset gets 404 instead of the
 * page, because HTML in place of a script causes a confusing error.
 * @param origin the daemon's public origin, which is the only origin where the page signs in
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

/** Redirects a browser from the daemon's origin to the console. Other clients get 404. */
export const leadToConsole: Middleware = (ctx, next) => {
  if (ctx.accepts("json", "html") !== "html") return next();
  stateOf(ctx).operation = "console";
  ctx.redirect("/console");
  return undefined;
};

/** Ignores the client's order of preference (RFC 9110, section 12.5.3). */
function accepts(ctx: KoaContext, encoding: string): boolean {
  return ctx.get("accept-encoding") !== "" && ctx.acceptsEncodings(encoding) === encoding;
}

/**
 * Reads the console's files from `dist/console`, with their compressed copies.
 * @param values the values for the placeholders in the HTML page, such as `%ORIGIN%`
 */
function readConsoleFiles(values: Readonly<Record<string, string>>): ConsoleFiles {
  const folder = packageFile("dist/console");
  const files = new Map<string, ConsoleFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const type = extname(entry.name);
    if (!entry.isFile() || ["", ".br", ".gz"].includes(type)) continue;
    const name = relative(folder, path).split(sep).join("/");
    if (name === "index.html") files.set(name, { type, ...completed(readFileSync(path, "utf8"), values) });
    else {
      const [br, gzip] = [".br", ".gz"].map((suffix) =>
        existsSync(path + suffix) ? readFileSync(path + suffix) : undefined,
      );
      files.set(name, { type, bytes: readFileSync(path), br, gzip });
    }
  }
  return files;
}

/** The values need no escaping, because they contain no special HTML characters. */
function completed(html: string, values: Readonly<Record<string, string>>) {
  const bytes = Buffer.from(html.replace(/%([A-Z]+)%/g, (_, name: string) => values[name]!));
  return { bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) };
}
