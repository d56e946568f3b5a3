/** Checks that every link, file and page that the documentation and the code name exists. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { HANDLE_NAME_PATTERN } from "../src/contract/fields.js";
import { Wire } from "../src/contract/shapes.js";
import { UNTRUSTED_CONTENT_NOTICE } from "../src/generate/mcp/instructions.js";

const root = resolve(import.meta.dirname, "..");
const SKIPPED = new Set(["node_modules", "dist", ".git", ".build", ".data", "results"]);

interface File {
  path: string;
  text: string;
}

/** Returns the files below a folder whose names match. */
function filesUnder(folder: string, names: RegExp): File[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesUnder(path, names);
    return names.test(entry.name) ? [{ path, text: readFileSync(join(root, path), "utf8") }] : [];
  });
}

const pages = filesUnder(".", /\.md$/);
const code = ["src", "daemon", "cli", "sdk/src", "test", "bench", "scripts"].flatMap((folder) =>
  filesUnder(folder, /\.(ts|tsx|mjs)$/),
);

const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** Returns the anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutBlocks(text).matchAll(/^#+ (.+)$/gm)) {
    const slug = heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns whether a file exists and, if the target has a fragment, has such a heading. */
function resolves(target: string, from: string): boolean {
  const [file, anchor] = target.split("#");
  const path = file === "" ? resolve(root, from) : resolve(root, dirname(from), decodeURI(file!));
  if (!existsSync(path)) return false;
  return anchor === undefined || anchorsOf(readFileSync(path, "utf8")).has(anchor);
}

describe("the documentation", () => {
  it("lists the fields of a wire in the SDK's README", () => {
    const section = /### Fields of a wire\n([\s\S]*?)\n## /.exec(
      readFileSync(join(root, "sdk/README.md"), "utf8"),
    )!;
    const names = [...section[1]!.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g)!);
    expect(names.sort()).toEqual(Object.keys(Wire.properties).sort());
  });

  it("links only to files and headings that exist", () => {
    const broken = pages.flatMap(({ path, text }) =>
      [
        ...withoutBlocks(text)
          .replace(/`[^`\n]*`/g, "")
          .matchAll(/\]\(([^)\s]+)\)/g),
      ]
        .map(([, target]) => target!)
        .filter((target) => !/^[a-z]+:/.test(target) && !resolves(target, path))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("names only files that exist", () => {
    const named = /`((?:src|daemon|cli|sdk|test|bench|docs|scripts|\.ci|\.github)\/[\w@./-]+)`/g;
    const isBuilt = /^(sdk\/dist|bench\/(results|\.build|\.data))/;
    const missing = pages.flatMap(({ path, text }) =>
      [...withoutBlocks(text).matchAll(named)]
        .map(([, file]) => file!)
        .filter((file) => !isBuilt.test(file) && !existsSync(join(root, file)))
        .map((file) => `${path}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  it("has every page and heading that the code cites", () => {
    const cited = /\bdocs\/(?:[\w-]+\/)*[\w-]+\.md(?:#[\w-]+)?/g;
    const missing = code.flatMap(({ path, text }) =>
      [...text.matchAll(cited)]
        .map(([page]) => page)
        .filter((page) => !resolves(page, "."))
        .map((page) => `${path}: ${page}`),
    );
    expect(missing).toEqual([]);
  });

  it("creates only handles with valid names", () => {
    const names = pages.flatMap(({ text }) =>
      [...text.matchAll(/^wireroom handle create ([^$[]\S*)/gm)].map(([, name]) => name!),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !new RegExp(HANDLE_NAME_PATTERN).test(name))).toEqual([]);
  });

  it("quotes messages as the code writes them", () => {
    const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
    // Numbers stand for interpolated values, and an ellipsis for the rest of the message.
    const messages = [...page.matchAll(/^\*\*`([a-z][^`]* [^`]*)`\.\*\*/gm)].map(([, message]) => message!);
    expect(messages.length).toBeGreaterThan(2);
    const missing = messages.filter((message) => {
      const pattern = message.replace(/ ?…$/, "").replaceAll(/\b\d[\d.]*\b/g, "\\$\\{\\w+\\}");
      return !code.some(({ path, text }) => !path.startsWith("test/") && new RegExp(pattern).test(text));
    });
    expect(missing).toEqual([]);
    expect(readFileSync(join(root, "docs/mcp.md"), "utf8")).toContain(UNTRUSTED_CONTENT_NOTICE);
  });

  it("lists every decision record under its title", () => {
    const index = readFileSync(join(root, "docs/decisions/README.md"), "utf8");
    for (const { path, text } of pages) {
      const name = relative("docs/decisions", path);
      if (!/^\d{3}-/.test(name)) continue;
      const [, number, title] = text.match(/^# (\d{3}): (.+)$/m) ?? [];
      expect(name.startsWith(`${number}-`)).toBe(true);
      expect(index).toContain(`| [${number}](${name}) | ${title} |`);
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings.filter((heading) => heading !== "Alternatives considered")).toEqual([
        "Context",
        "Decision",
        "Consequences",
      ]);
    }
  });
});
