/** Writes what language models read: llms.txt (https://llmstxt.org), llms-full.txt, and each page as Markdown. */
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isPublishedFile } from "./markdown.mjs";
import { pagesOf, ROOT, SECTIONS, textOf, titleOf, version } from "./pages.mjs";

/** The section for contributors, which llms-full.txt omits and llms.txt marks as optional. */
const OPTIONAL = "Develop";

/** @param {string} out the folder of the site */
export function writeForModels(out) {
  for (const page of SECTIONS.flatMap(pagesOfSection)) cpSync(ROOT + page, join(out, page));
  for (const name of readdirSync(`${ROOT}docs`, { recursive: true }))
    if (isPublishedFile(`docs/${name}`)) cpSync(`${ROOT}docs/${name}`, join(out, "docs", name));
  writeFileSync(join(out, "llms.txt"), index());
  writeFileSync(join(out, "llms-full.txt"), everything());
}

const pagesOfSection = ({ entries }) => entries.flatMap(pagesOf);

function index() {
  const sections = [...SECTIONS].sort((a, b) => (a.text === OPTIONAL) - (b.text === OPTIONAL));
  return [
    "# Wireroom",
    `> ${firstParagraph("README.md")}`,
    `Version ${version}. Links are relative to this file. [llms-full.txt](llms-full.txt) contains all pages except the optional ones, and [openapi.json](docs/openapi.json) describes the REST API.`,
    ...sections.map((section) =>
      [
        `## ${section.text === OPTIONAL ? "Optional" : section.text}\n`,
        ...pagesOfSection(section).map((page) => `- [${titleOf(page)}](${page}): ${firstSentence(page)}`),
      ].join("\n"),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

function everything() {
  const pages = SECTIONS.filter(({ text }) => text !== OPTIONAL).flatMap(pagesOfSection);
  return pages.map((page) => `<!-- ${page} -->\n\n${textOf(page).trim()}\n`).join("\n");
}

/** Returns the first paragraph below the title, without links. */
function firstParagraph(page) {
  const paragraphs = textOf(page)
    .replace(/^[\s\S]*?^# .*$/m, "")
    .replace(/^```[\s\S]*?^```$/gm, "")
    .split(/\n{2,}/);
  const prose = paragraphs.find((paragraph) => /^[\p{L}`]/u.test(paragraph.trim()));
  return prose
    .trim()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("\n", " ");
}

const firstSentence = (page) => /^.*?[.:](?= |$)|^.*$/.exec(firstParagraph(page))[0].replace(/:$/, ".");
