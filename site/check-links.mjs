/**
 * Checks the built site: every link leads to a page or file that exists, and every anchor to an element of its
 * page. Every page is at most two clicks from the front page.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLICKS = 2;
/** The address of the site, at any origin. */
const SITE = `https://site.invalid${process.env.SITE_BASE ?? "/"}`;

const out = fileURLToPath(new URL("dist", import.meta.url));
const paths = readdirSync(out, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
const pages = new Map(
  paths
    .filter((path) => path.endsWith(".html"))
    .map((path) => {
      const html = readFileSync(join(out, path), "utf8");
      return [path, { links: attributes(html, "href"), ids: new Set(attributes(html, "id")) }];
    }),
);

const problems = [...deadLinks(), ...farPages()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`checked the links of ${pages.size} pages`);

function attributes(html, name) {
  return [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value]) =>
    value.replaceAll("&amp;", "&"),
  );
}

/** Returns the file and the anchor to which a link of a page leads; undefined if it leads to another site. */
function targetOf(link, page) {
  const { href, hash } = new URL(link, SITE + page);
  if (!href.startsWith(SITE)) return undefined;
  const address = decodeURI(href.slice(SITE.length)).replace(/[?#].*/, "");
  const path = address.replace(/(^|\/)$/, "$1index.html");
  return { path, anchor: decodeURIComponent(hash.slice(1)) };
}

function deadLinks() {
  return [...pages].flatMap(([page, { links }]) =>
    [...new Set(links)]
      .filter((link) => {
        const { path, anchor } = targetOf(link, page) ?? {};
        if (path === undefined) return false;
        return !existsSync(join(out, path)) || (anchor && !pages.get(path)?.ids.has(anchor));
      })
      .map((link) => `${page}: ${link} leads nowhere`),
  );
}

function farPages() {
  let near = new Set(["index.html"]);
  for (let clicks = 0; clicks < CLICKS; clicks++)
    near = new Set([...near, ...[...near].flatMap((page) => linkedPages(page))]);
  return [...pages.keys()]
    .filter((page) => page !== "404.html" && !near.has(page))
    .map((page) => `${page}: is more than ${CLICKS} clicks from the front page`);
}

function linkedPages(page) {
  return pages.get(page).links.flatMap((link) => {
    const { path } = targetOf(link, page) ?? {};
    return pages.has(path) ? [path] : [];
  });
}
