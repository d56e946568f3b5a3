/** Copies code from the examples into the guide, so that the tests run every line that the guide prints. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const GUIDE = "docs/guide";
/** A marker and the block that follows it. */
const QUOTE = /^(<!-- from (\S+) -->\n```\w+\n)[\s\S]*?^```$/gm;

/**
 * Returns the pages of the guide with the current code in their blocks.
 * @param {string} root
 * @returns {Record<string, string>} the text of each page by its path
 */
export function guidePages(root) {
  const pages = readdirSync(join(root, GUIDE)).map((name) => `${GUIDE}/${name}`);
  return Object.fromEntries(
    pages.map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const code = (file) => readFileSync(join(root, file), "utf8");
      return [path, text.replace(QUOTE, (_, head, file) => `${head}${code(file)}\`\`\``)];
    }),
  );
}
