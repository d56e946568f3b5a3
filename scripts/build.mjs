/**
 * Builds `dist`, the published code: bundles the sources into few files, because Node resolves, reads and
 * links each file that it loads. The bundle is split, so that a command loads only what it uses. Packages of
 * `dependencies` stay imports; the others become part of the bundle, because most of what they install is
 * never used (docs/decisions/032-install-few-packages.md).
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { dictionary } from "@zxcvbn-ts/language-common";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const DIST = join(root, "dist");
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/;

/** Sources that other programs run or import. Each keeps its path below `dist`. */
const ENTRIES = [
  "cli/main.ts",
  // A worker thread needs its own file.
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

/** Whether Node loads the import from an installed package. Packages in the bundle bring their own packages. */
function isImported(id, importer = "") {
  if (id.startsWith(".") || isAbsolute(id)) return false;
  // Ink imports it only to debug Ink.
  if (isBuiltin(id) || id === "react-devtools-core") return true;
  if (importer.includes("node_modules")) return false;
  const [name] = /^(@[^/]+\/)?[^/]+/.exec(id);
  return name in dependencies || name in peerDependencies;
}

const RGI_EMOJI = "/^\\p{RGI_Emoji}$/v";

/**
 * Makes `string-width` compile its regular expression of all emoji only for a text that may contain one.
 * Compiling takes V8 0.1 s, which a command would spend on any character outside ASCII, such as `…`.
 */
const lazyEmoji = {
  name: "lazy-emoji",
  transform: {
    filter: { code: RGI_EMOJI },
    handler: (code) => ({
      // The lines stay where they are.
      map: null,
      code: `${code.replace(RGI_EMOJI, "{ test: isEmoji }")}
let rgiEmoji;
function isEmoji(segment) {
  if (!/[\\p{Extended_Pictographic}\\p{Emoji_Presentation}\\u20E3]/u.test(segment)) return false;
  rgiEmoji ??= new RegExp("^\\\\p{RGI_Emoji}$", "v");
  return rgiEmoji.test(segment);
}
`,
    }),
  },
};

const bundle = await rolldown({
  cwd: root,
  plugins: [lazyEmoji],
  platform: "node",
  input: Object.fromEntries(ENTRIES.map((path) => [path.replace(/\.ts$/, ""), path])),
  external: isImported,
  // Selects React's production build.
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  // The `sideEffects` of sdk/package.json describe its own build.
  treeshake: { moduleSideEffects: [{ test: /[\\/]sdk[\\/]src[\\/]/, sideEffects: true }] },
});
const { output } = await bundle.write({
  dir: DIST,
  chunkFileNames: "chunks/[name]-[hash].js",
  // Stack traces show the names of the sources.
  keepNames: true,
  minifyInternalExports: false,
  comments: { jsdoc: false },
  // An agent waits for `wireroom hook` in each turn, and each file more costs 2 ms.
  codeSplitting: { groups: [{ name: "hook", test: /[\\/]cli[\\/]services[\\/]hook[\\/]run\.ts$/ }] },
  sourcemap: true,
});

// Data from packages whose code neither the daemon nor the command needs.
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

// The licences of the packages in the bundle require that their texts are distributed with the code.
const folders = output
  .flatMap(({ moduleIds = [] }) => moduleIds)
  .flatMap((id) => PACKAGE_FOLDER.exec(id)?.[0] ?? []);
writeFileSync(join(DATA, "bundled-packages.txt"), [...new Set(folders)].sort().map(licenceOf).join("\n\n"));

/** Returns the name, version and licence of the package in this folder. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `# ${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : ""}`;
}
