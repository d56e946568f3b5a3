/**
 * Builds `dist`, the published code: bundles the sources into few files, because Node resolves, reads and
 * links each file that it loads. The bundle is split, so that a command loads only what it uses. Packages
 * stay imports (docs/decisions/025-bundle-the-files-of-the-project.md).
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { dictionary } from "@zxcvbn-ts/language-common";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(root, "dist");

/** Sources that other programs run or import. Each keeps its path below `dist`. */
const ENTRIES = [
  "cli/main.ts",
  // A thread starts from a file of its own.
  "src/service/validation/worker.ts",
  // For `npm run generate`.
  "cli/reference/page.ts",
  "src/generate/openapi.ts",
  "src/generate/sdk.ts",
  // For tests that run several daemons in one process, or change one profile from several processes.
  "cli/profiles/profile.ts",
  "daemon/log.ts",
  "daemon/mcp/rpc-error.ts",
  "daemon/server.ts",
  "daemon/settings.ts",
];

const bundle = await rolldown({
  cwd: root,
  platform: "node",
  input: Object.fromEntries(ENTRIES.map((path) => [path.replace(/\.ts$/, ""), path])),
  external: (id) => !id.startsWith(".") && !isAbsolute(id),
  // The `sideEffects` of sdk/package.json describe its own build.
  treeshake: { moduleSideEffects: [{ test: /[\\/]sdk[\\/]src[\\/]/, sideEffects: true }] },
});
await bundle.write({
  dir: DIST,
  chunkFileNames: "chunks/[name]-[hash].js",
  // Stack traces show the names of the sources.
  keepNames: true,
  minifyInternalExports: false,
  // An agent waits for `wireroom hook` in each turn, and each file more costs 2 ms.
  codeSplitting: { groups: [{ name: "hook", test: /[\\/]cli[\\/]services[\\/]hook[\\/]run\.ts$/ }] },
  sourcemap: true,
});

// Data of packages of which the daemon and the command need nothing else.
const DATA = join(DIST, "data");
/** Minimum length of the common passwords. Shorter passwords are rejected anyway. */
const MIN_PASSWORD_LENGTH = 8;
const copy = (from, to) => copyFileSync(join(root, "node_modules", from), join(DATA, to));

mkdirSync(DATA, { recursive: true });
for (const extension of ["bash", "fish", "ps1", "zsh"])
  copy(`@pnpm/tabtab/lib/templates/completion.${extension}`, `completion.${extension}`);
copy("@pnpm/tabtab/LICENSE", "completion.LICENSE");
const passwords = dictionary["passwords-common"].filter(({ length }) => length >= MIN_PASSWORD_LENGTH);
writeFileSync(join(DATA, "common-passwords.txt"), passwords.join("\n"));
copy("@zxcvbn-ts/language-common/LICENSE.txt", "common-passwords.LICENSE");
