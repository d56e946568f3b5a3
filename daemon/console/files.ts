import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { packageFile } from "../../src/kernel/package-file.js";

/** A file of the console, with compressed copies. Images have none, because their formats are compressed. */
interface ConsoleFile {
  type: string;
  bytes: Buffer;
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
}

/** The files of the console by their path below `/console/`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};

/**
 * Reads the files that the build wrote to `dist/console`, with their compressed copies.
 * @param values the values of the placeholders in the HTML page, such as `%ORIGIN%`
 */
export function readConsoleFiles(values: Readonly<Record<string, string>>): ConsoleFiles {
  const folder = packageFile("dist/console");
  const files = new Map<string, ConsoleFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
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

/** Fills in the placeholders. Values need no escaping, because none contains a character special in HTML. */
function completed(html: string, values: Readonly<Record<string, string>>) {
  const bytes = Buffer.from(html.replace(/%([A-Z]+)%/g, (_, name: string) => values[name]!));
  return { bytes, br: brotliCompressSync(bytes), gzip: gzipSync(bytes) };
}
