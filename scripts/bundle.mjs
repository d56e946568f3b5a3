/**
 * Puts the project's own files, and of its packages what they use, into few files: Node spends most of a start on finding
 * and reading modules one by one. Packages under `dependencies` stay outside, to be installed beside the bundle; all others
 * are in it, with their licences.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Packages that others can use and do without: PostgreSQL's native client, Ink's debugger. */
const OPTIONAL = ["pg-native", "react-devtools-core"];

/** What rolldown remarks on in other people's packages. */
const THEIRS = new Set(["EVAL", "CIRCULAR_DEPENDENCY"]);

/**
 * Writes a bundle.
 * @param {Record<string, string>} entries names of the files that are made, without `.js`, and what each begins with
 * @param {string} out folder, which is emptied; all files lie in it side by side, so that what is found beside an entry is
 *   found beside any part of it
 */
export async function bundle(entries, out) {
  const { rolldown } = await import("rolldown");
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: "node",
    external: [...Object.keys(dependencies), ...OPTIONAL],
    // Packages that have a slower, more talkative form for development give the other.
    transform: { define: { "process.env.NODE_ENV": JSON.stringify("production") } },
    onLog: (level, log, handle) => {
      if (!THEIRS.has(log.code)) handle(level === "warn" ? "error" : level, log);
    },
    plugins: [licences()],
  });
  await build.write({
    dir: join(root, out),
    cleanDir: true,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    sourcemap: true,
  });
}

/** Who made what is in the bundle, and on which terms. */
function licences() {
  return {
    name: "licences",
    generateBundle(_options, files) {
      const modules = Object.values(files).flatMap((file) => file.moduleIds ?? []);
      const folders = new Set(
        modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []),
      );
      const source = [...folders]
        .sort()
        .map(licenceOf)
        .join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${name} ${version} (${license})\n\n${text}\n`;
}
