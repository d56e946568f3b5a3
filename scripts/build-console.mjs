/**
 * Builds `dist/console`, the web page for humans (daemon/console/page): one style sheet, and scripts with
 * hashed names. Adds a gzip and a Brotli copy of each file, so that the daemon need not compress it.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { CONSOLE } from "./console-settings.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const OUT = join(root, "dist/console");
/** Files that compression makes smaller. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|webmanifest)$/;

await build({
  ...CONSOLE,
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2023",
    // The style sheet is one file, so that a page that is loaded later has its styles at once.
    cssCodeSplit: false,
    // No files as data: URLs, which the Content-Security-Policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /[\\/]page[\\/]/, sideEffects: true }] } },
  },
});

for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  // The daemon completes the page when it starts, and then compresses it.
  if (!entry.isFile() || !COMPRESSIBLE.test(path) || path.endsWith(".html")) continue;
  const bytes = readFileSync(path);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
}
