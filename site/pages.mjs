/** The pages of the site: their sections for kinds of readers, titles and addresses. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
export const { version, repository } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));

/**
 * An entry is a page, a page with its title in the sidebar, or a folded group of pages. A folder stands for all
 * its pages and those of its subfolders; its README.md is the page of the group. If a page `X.md` has a folder
 * `X` beside it, it is the page of that group.
 */
export const SECTIONS = [
  {
    text: "Start",
    entries: [
      ["README.md", "Quick start"],
      "docs/guide/",
      "examples/",
      "docs/compare.md",
      "docs/troubleshooting.md",
    ],
  },
  {
    text: "Connect agents and humans",
    entries: [
      ["docs/mcp.md", "MCP hosts"],
      "docs/waking-agents.md",
      "integrations/claude-code/README.md",
      "docs/tested-mcp-clients.md",
      "docs/console.md",
    ],
  },
  {
    text: "Run a service",
    entries: [
      "docs/lan.md",
      "docs/running.md",
      "docs/running-as-a-service.md",
      "docs/scaling.md",
      "docs/observability.md",
    ],
  },
  {
    text: "Reliability and security",
    entries: [
      "docs/reliability.md",
      "docs/performance.md",
      "docs/bounds.md",
      ["SECURITY.md", "Security"],
      "docs/threat-model.md",
      "docs/security-standards.md",
      "docs/asvs.md",
    ],
  },
  {
    text: "Reference",
    entries: [["docs/cli.md", "Commands"], ["sdk/README.md", "SDK"], "docs/specification/", "CHANGELOG.md"],
  },
  {
    text: "Develop",
    entries: [
      "CONTRIBUTING.md",
      "docs/architecture.md",
      "docs/performance-internals.md",
      "docs/decisions/",
      "bench/",
      "docs/fault-campaign.md",
      "faults/README.md",
      "attacks/README.md",
      "CODE_OF_CONDUCT.md",
    ],
  },
];

/** Returns the paths of all pages of an entry, the page of a group first. */
export function pagesOf(entry) {
  const path = pathOf(entry);
  const folder = path.replace(/\.md$/, "/");
  if (!existsSync(ROOT + folder)) return [path];
  const names = readdirSync(ROOT + folder, { recursive: true }).map(
    (name) => folder + name.replaceAll("\\", "/"),
  );
  const pages = names.filter((name) => name.endsWith(".md") && !name.includes("/node_modules/"));
  return inOrderOf(path === folder ? `${path}README.md` : path, pages.sort());
}

const pathOf = (entry) => (Array.isArray(entry) ? entry[0] : entry);

/** Returns pages in the order in which the first one links to them, and then the others. */
function inOrderOf(first, pages) {
  const text = textOf(first);
  const position = (page) => {
    const found = text.indexOf(`](${page.slice(first.lastIndexOf("/") + 1)}`);
    return found < 0 ? text.length : found;
  };
  return [first, ...pages.filter((page) => page !== first).sort((a, b) => position(a) - position(b))];
}

export const textOf = (page) => readFileSync(ROOT + page, "utf8");

/** Returns the first heading of a page. */
export const titleOf = (page) => /^# (.+)$/m.exec(textOf(page))[1].replaceAll("`", "");

/** Returns the file that VitePress makes the page from, which is its address without `.html`. */
export const addressOf = (page) => page.replace(/README\.md$/, "index.md");

export const isPage = (path) => PAGES.has(path);
const PAGES = new Set(SECTIONS.flatMap(({ entries }) => entries.flatMap(pagesOf)));

const linkTo = (page) => `/${addressOf(page).replace(/(index)?\.md$/, "")}`;

/** The sidebar, which all pages share. */
export const sidebar = SECTIONS.map(({ text, entries }) => ({ text, items: entries.map(sidebarItem) }));

function sidebarItem(entry) {
  const [page, ...children] = pagesOf(entry);
  const item = { text: Array.isArray(entry) ? entry[1] : titleOf(page), link: linkTo(page) };
  if (children.length === 0) return item;
  return {
    ...item,
    collapsed: true,
    items: children.map((child) => ({ text: titleOf(child), link: linkTo(child) })),
  };
}

/** Returns the address of a file in the public repository, or undefined if package.json names no repository. */
export function sourceOf(path) {
  const url = (repository?.url ?? repository)?.replace(/^git\+|\.git$/g, "");
  return url && existsSync(ROOT + path) ? `${url}/blob/v${version}/${path}` : undefined;
}
