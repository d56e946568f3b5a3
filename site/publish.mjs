/**
 * Adds the site of this version to a folder that holds the sites of all versions: `node publish.mjs FOLDER BASE`.
 * BASE is the path of the folder at its host, such as `/wireroom/`. The newest version is also there as `latest`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { version } from "./pages.mjs";

const [folder, base] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
build(version);
const versions = readdirSync(folder)
  .filter((name) => /^\d+\.\d+\.\d+/.test(name))
  .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
if (versions[0] === version) {
  build("latest");
  cpSync(join(folder, "latest/404.html"), join(folder, "404.html"));
}
write("index.html", '<meta http-equiv="refresh" content="0; url=latest/"><a href="latest/">Wireroom</a>');
write(
  "versions.html",
  `<h1>Wireroom: versions</h1>\n<ul>\n${versions.map((name) => `<li><a href="${name}/">${name}</a></li>`).join("\n")}\n</ul>`,
);
// Without this file, GitHub Pages runs Jekyll.
writeFileSync(join(folder, ".nojekyll"), "");

/** Builds the site for a folder of this name. */
function build(name) {
  execFileSync("npm", ["run", "--silent", "build"], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, SITE_BASE: `${base}${name}/` },
    stdio: "inherit",
  });
  rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(fileURLToPath(new URL("dist", import.meta.url)), join(folder, name), { recursive: true });
}

function write(name, body) {
  const head = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Wireroom</title>\n';
  writeFileSync(join(folder, name), `${head}${body}\n</html>\n`);
}
