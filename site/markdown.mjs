/** Adapts the Markdown of the repository, which GitHub also shows, to the site: anchors, links and diagrams. */
import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { renderMermaidSVG } from "beautiful-mermaid";
import { addressOf, isPage, ROOT, sourceOf } from "./pages.mjs";

/** Returns the anchor of a heading, as GitHub makes it. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

/** Returns whether a file is published beside the pages: what operators copy, and the API document. */
export const isPublishedFile = (path) =>
  /^docs\/(deploy\/|openapi\.json)/.test(path) && existsSync(ROOT + path) && statSync(ROOT + path).isFile();

/**
 * Resolves the links of each page, and draws its diagrams.
 * @param {import("vitepress").MarkdownRenderer} md
 * @param {string} base
 */
export function adapt(md, base) {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    for (const { children } of tokens) {
      const opened = [];
      for (const token of children ?? []) {
        if (token.type === "link_open") opened.push(resolve(token, env.relativePath, base));
        else if (token.type === "link_close") token.tag = opened.pop().tag;
      }
    }
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) =>
    tokens[index].info === "mermaid" ? diagram(tokens[index].content) : fence(tokens, index, ...rest);
}

function resolve(token, page, base) {
  const href = token.attrGet("href");
  if (/^[a-z]+:|^#/.test(href)) return token;
  const [file, anchor] = href.split("#");
  const path = posix.join(posix.dirname(page), decodeURI(file)).replace(/\/$/, "");
  const target = [path, `${path}/README.md`].find(isPage);
  if (target) {
    token.attrSet("href", `/${addressOf(target)}${anchor ? `#${anchor}` : ""}`);
  } else if (isPublishedFile(path)) {
    token.attrSet("href", base + path);
    // VitePress opens other links as pages.
    token.attrSet("target", "_self");
  } else if (sourceOf(path)) {
    token.attrSet("href", sourceOf(path));
  } else {
    token.tag = "span";
    token.attrs = [["title", path]];
  }
  return token;
}

/** Returns the element of a diagram as wide as the page, without the web font that it would load. */
function diagram(source) {
  const colors = { bg: "var(--vp-c-bg)", fg: "var(--vp-c-text-1)", transparent: true };
  const svg = renderMermaidSVG(source, colors)
    .replace(/ width="[\d.]+" height="[\d.]+"/, "")
    .replace(/@import .*/, "");
  // Vue would remove the style of an SVG in the template.
  return `<div v-html="${JSON.stringify(svg).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></div>\n`;
}
