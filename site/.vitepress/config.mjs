/** The documentation site. Its pages are the Markdown files of the repository. */
import { cpSync } from "node:fs";
import { defineConfig } from "vitepress";
import { writeForModels } from "../llms.mjs";
import { adapt, slugify } from "../markdown.mjs";
import { addressOf, ROOT, sidebar, version } from "../pages.mjs";

/** The path of this version at its host, such as `/wireroom/latest/`. `publish.mjs` sets it. */
const base = process.env.SITE_BASE ?? "/";
const allVersions = { text: "All versions", link: "/../versions.html", target: "_self" };

/** Leaves `vue` to Node, which finds it from the folder of the bundle, but not from the pages outside it. */
const externalVue = {
  name: "external-vue",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined),
};

export default defineConfig({
  base,
  title: "Wireroom",
  description: "A self-hosted messaging service for software agents",
  head: [["link", { rel: "icon", href: `${base}icon.svg` }]],
  srcDir: "..",
  outDir: "dist",
  srcExclude: ["AGENTS.md", "integrations/**/!(README).md"],
  rewrites: addressOf,
  markdown: {
    anchor: { slugify },
    // GitHub shows braces as they are.
    attrs: { disable: true },
    config: (md) => adapt(md, base),
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/docs/guide/" },
      { text: "Commands", link: "/docs/cli" },
      { text: "SDK", link: "/sdk/" },
      { text: "Specification", link: "/docs/specification/" },
      {
        text: version,
        items: [
          { text: "Changes", link: "/CHANGELOG" },
          { text: "For language models", link: `${base}llms.txt`, target: "_self" },
          ...(base === "/" ? [] : [allVersions]),
        ],
      },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // The ids of requirements serve the tests.
        _render: (text, env, md) => md.render(text.replace(/^## Requirements\n[\s\S]*/m, ""), env),
        miniSearch: {
          // A page for contributors comes after the others.
          searchOptions: {
            boostDocument: (id) =>
              /\/(decisions|asvs|performance-internals|CONTRIBUTING)/.test(id) ? 0.5 : 1,
          },
        },
      },
    },
  },
  vite: { plugins: [externalVue], build: { chunkSizeWarningLimit: 2_000 } },
  buildEnd: ({ outDir }) => {
    cpSync(`${ROOT}daemon/console/page/public/icon.svg`, `${outDir}/icon.svg`);
    writeForModels(outDir);
  },
});
