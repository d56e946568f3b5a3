/** Converts docs/cli.md and the pages of docs/cli to the manual page wireroom(1). */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const MARKED_MAN = fileURLToPath(new URL("../bin/marked-man.js", import.meta.resolve("marked-man")));

/** Characters that troff would replace by typographic ones, which a shell does not understand. */
const PLAIN = { "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "…": "..." };

const ENTITIES = { quot: '"', lt: "<", gt: ">", amp: "&" };

/**
 * Returns the page. In a manual page, headings are in capitals, and a table of two columns is a list.
 * @param {string[]} pages docs/cli.md and the pages of the groups, as Markdown
 */
export function manualPage([first, ...groups]) {
  const text = [first, ...groups.map((page) => page.replace(/^(# .*\n\n)[\s\S]*?(?=^## )/m, "#$1"))].join(
    "\n",
  );
  const input = text
    .replace(/^#.*\n\n.*\n/, "# wireroom(1) -- a messaging service for software agents\n\n## Description\n")
    .replace(/^## Commands\n[\s\S]*?(?=^## )/m, "")
    .replace(/^\| most used [\s\S]*?\n\n/m, "")
    .replace(/^Commands: .*\n\n/gm, "")
    .replace(/^##+ (?=wireroom |Options of several )/gm, "### ")
    .replace(/^## .*/gm, (heading) => heading.toUpperCase())
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/^\| .* \|\n\|[-|]+\n/gm, "")
    .replace(
      /^\| (.+?) \| (.*?)(?<!\\) \|.*$/gm,
      (_, name, text) => `- ${name}\n  ${text.replaceAll("\\|", "|")}`,
    );
  const args = [MARKED_MAN, "--date", "2026-01-01"];
  const { stdout, status } = spawnSync(process.execPath, args, { input, encoding: "utf8" });
  if (status !== 0) throw new Error("marked-man failed");
  return stdout
    .replace(/^\.TH .*/, '.TH WIREROOM 1 "" "" "User Commands"\n.nh\n.ad l')
    .replace(/^\.br\n/gm, "")
    .replace(/^\.IP \\\(bu \d\n/gm, ".TP\n")
    .replace(/&(quot|lt|gt|amp);/g, (_, name) => ENTITIES[name])
    .replace(/['`^~…]/g, (character) => PLAIN[character]);
}
