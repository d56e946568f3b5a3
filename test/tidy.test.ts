/**
 * Checks rules that linters do not check: import directions between layers, use of time and randomness, names
 * of files, and the width of comments.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** The layers that each layer may import, besides itself and packages. */
const LAYERS: Record<string, readonly string[]> = {
  "src/kernel": [],
  "src/contract": ["src/kernel"],
  "src/domain": ["src/contract", "src/kernel"],
  "src/store": ["src/contract", "src/kernel"],
  "src/service": ["src/domain", "src/store", "src/contract", "src/kernel"],
  "src/generate": ["src/contract", "src/kernel"],
  // Formats of configuration files, which the console shows and the command writes.
  "src/mcp-hosts": [],
  "daemon/console/page": ["sdk", "src/mcp-hosts"],
  daemon: ["src/service", "src/generate", "src/contract", "src/kernel"],
  sdk: [],
  cli: ["sdk", "daemon", "src/mcp-hosts"],
};

/** The formatter wraps code here, but not comments. */
const LAST_COLUMN = 110;

interface Source {
  path: string;
  text: string;
  layer: string;
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/^(sdk\/dist|(attacks|bench|faults)\/\.)/.test(path));
}

const sources: Source[] = ["src", "daemon", "cli", "sdk"].flatMap((folder) =>
  filesUnder(folder).map((path) => ({
    path,
    text: readFileSync(join(root, path), "utf8"),
    layer: layerOf(path),
  })),
);

function layerOf(path: string): string {
  return Object.keys(LAYERS).find((layer) => path.startsWith(`${layer}/`)) ?? "none";
}

/** Returns the paths of the project files that a file imports. */
function importsOf({ path, text }: Source): string[] {
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...specifiers].map(([, specifier]) => relative(root, resolve(root, dirname(path), specifier!)));
}

/** Returns the files that are loaded with a file: no type imports, and no dynamic imports. */
function loadsOf({ path, text }: Source): string[] {
  const specifiers = text.matchAll(/^(?:import|export)(?!\s+type\b)[^;"]*"(\.[^"]+)";$/gm);
  return [...specifiers].map(([, specifier]) => sourcePath(resolve(root, dirname(path), specifier!)));
}

/** Returns the path of the source file of a compiled path that ends in `.js`. */
function sourcePath(compiled: string): string {
  const path = relative(root, compiled).replace(/\.js$/, "");
  return [`${path}.ts`, `${path}.tsx`].find((each) => sourceByPath.has(each)) ?? path;
}

const sourceByPath = new Map(sources.map((source) => [source.path, source]));

/** Returns every import cycle as a chain of paths. */
function importCycles(): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) return void cycles.push([...way.slice(start), path].join(" → "));
    if (done.has(path)) return;
    for (const target of loadsOf(sourceByPath.get(path)!))
      if (sourceByPath.has(target)) visit(target, [...way, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return cycles;
}

describe("the source code", () => {
  it("has a layer for every file", () => {
    expect(sources.filter(({ layer }) => layer === "none").map(({ path }) => path)).toEqual([]);
  });

  it("imports only from lower layers", () => {
    const wrong = sources.flatMap((source) =>
      importsOf(source)
        .filter((target) => {
          const layer = layerOf(target);
          return layer !== source.layer && !LAYERS[source.layer]!.includes(layer);
        })
        .map((target) => `${source.path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("has no import cycle", () => {
    expect(importCycles()).toEqual([]);
  });

  it("has no operation file that imports another operation", () => {
    const operation = /^src\/service\/(?!(?:dispatch|pipeline|posting|shared|validation)\/)[a-z]+\//;
    const wrong = sources
      .filter(({ path }) => operation.test(path))
      .flatMap((source) =>
        importsOf(source)
          .filter((target) => operation.test(target) && dirname(target) !== dirname(source.path))
          .map((target) => `${source.path} → ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  it("reads time and randomness only in the kernel, and in one file each of SDK and CLI", () => {
    const banned =
      /\bDate\.now\(|new Date\(\)|Math\.random\(|randomUUID|node:perf_hooks|process\.hrtime\.|from "node:crypto";?.*random/;
    const allowed = (path: string) =>
      path.startsWith("src/kernel/") ||
      ["sdk/src/runtime/clock.ts", "daemon/console/page/app/clock.ts", "cli/clock.ts"].includes(path);
    const wrong = sources.filter(({ path, text }) => !allowed(path) && banned.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("contains SQL only in the store", () => {
    const sql = /\b(SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
    const wrong = sources.filter(({ layer, text }) => layer !== "src/store" && sql.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("uses the engine only in the store", () => {
    const wrong = sources.filter(
      ({ path, text }) => !path.startsWith("src/store/") && /from "(sqlite3|pg)"/.test(text),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it("has only files with kebab-case names", () => {
    const misnamed = sources.filter(
      ({ path }) => !/\/[a-z0-9]+(-[a-z0-9]+)*\.(ts|tsx)$/.test(path.replace(/\d{4}-/, "")),
    );
    expect(misnamed.map(({ path }) => path)).toEqual([]);
  });

  it(`has no comment beyond column ${LAST_COLUMN}`, () => {
    const written = sources.filter(({ path }) => !path.includes("/generated/"));
    const wide = written.flatMap(({ path, text }) =>
      text
        .split("\n")
        .flatMap((line, n) =>
          line.length > LAST_COLUMN && /^\s*(\/\/(?! biome-ignore)|\*|\/\*)/.test(line)
            ? [`${path}:${n + 1}`]
            : [],
        ),
    );
    expect(wide, "wrap these comments").toEqual([]);
  });

  it("contains no marker of unfinished work", () => {
    const marker = new RegExp(["TO" + "DO", "FIX" + "ME", "XX" + "X", "not implemented"].join("|"));
    const files = [
      ...sources,
      ...["test", "attacks", "bench", "faults"]
        .flatMap(filesUnder)
        .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
    ];
    const wrong = files.filter(({ path, text }) => path !== "test/tidy.test.ts" && marker.test(text));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
