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
  daemon: ["src/service", "src/store", "src/generate", "src/contract", "src/kernel"],
  sdk: [],
  cli: ["sdk", "daemon", "src/mcp-hosts"],
};

/** The layers above each layer from which it may import types, because it would define them again otherwise. */
const TYPES_FROM_ABOVE: Record<string, readonly string[]> = { "src/store": ["src/domain"] };

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
    .filter((path) => !/^(sdk\/dist|(attacks|bench|faults)\/\.)|\/node_modules\//.test(path));
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

/** Returns the paths of the project files that a file imports, except types that it may take from above. */
function importsOf({ path, text, layer }: Source): string[] {
  const from = (specifier: string) => relative(root, resolve(root, dirname(path), specifier));
  const mayTake = (target: string) => TYPES_FROM_ABOVE[layer]?.includes(layerOf(target)) ?? false;
  const types = text.matchAll(/^import type [^"]*"(\.[^"]+)"/gm);
  const taken = new Set([...types].map(([, specifier]) => from(specifier!)).filter(mayTake));
  const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...specifiers].map(([, specifier]) => from(specifier!)).filter((target) => !taken.has(target));
}

function withoutTypeImports(source: Source): Source {
  return { ...source, text: source.text.replace(/^(import|export) type\b[^;"]*"[^"]+";$/gm, "") };
}

/** Returns the files that a file imports, types included, without dynamic imports. */
function staticImportsOf({ path, text }: Source): string[] {
  const specifiers = text.matchAll(/^(?:import|export)\b[^;"]*"(\.[^"]+)";$/gm);
  return [...specifiers]
    .map(([, specifier]) => sourcePath(resolve(root, dirname(path), specifier!)))
    .filter((target) => sourceByPath.has(target));
}

/** Returns the path of the source file of a compiled path that ends in `.js`. */
function sourcePath(compiled: string): string {
  const path = relative(root, compiled).replace(/\.js$/, "");
  return [`${path}.ts`, `${path}.tsx`].find((each) => sourceByPath.has(each)) ?? path;
}

const sourceByPath = new Map(sources.map((source) => [source.path, source]));

/** Returns the import cycles. Each is the sorted list of all files that import each other in a circle. */
function importCycles(): string[] {
  const imports = new Map(sources.map((source) => [source.path, staticImportsOf(source)]));
  const reached = new Map(sources.map(({ path }) => [path, filesReached(path, imports)]));
  const cycles = sources.map(({ path }) =>
    [...reached.get(path)!].filter((other) => reached.get(other)!.has(path)).sort(),
  );
  return [...new Set(cycles.filter((cycle) => cycle.length > 0).map((cycle) => cycle.join(" + ")))];
}

/** Returns the files that are imported by a file, or by the files that it imports. */
function filesReached(path: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const target of imports.get(next)!)
      if (!reached.has(target)) {
        reached.add(target);
        waiting.push(target);
      }
  return reached;
}

/** Expects that there are no violations of a rule. @param advice what to do about one */
function expectNone(violations: readonly string[], advice: string): void {
  expect(violations, `${advice}\n  ${violations.join("\n  ")}\n`).toEqual([]);
}

describe("the source code", () => {
  it("has a layer for every file", () => {
    const paths = sources.filter(({ layer }) => layer === "none").map(({ path }) => path);
    expectNone(paths, "move the file to a folder of `LAYERS` in test/tidy.test.ts, or add its folder there:");
  });

  it("imports only from lower layers, except types", () => {
    const wrong = sources.flatMap((source) =>
      // The SDK is published alone, so it needs its types, too.
      importsOf(source.layer === "sdk" ? source : withoutTypeImports(source))
        .filter((target) => {
          const layer = layerOf(target);
          return layer !== source.layer && !LAYERS[source.layer]!.includes(layer);
        })
        .map((target) => `${source.path} → ${target}`),
    );
    expectNone(
      wrong,
      "move what both need to a lower layer, or pass it as an argument (CONTRIBUTING.md#layout):",
    );
  });

  it("has no import cycle, types included", () => {
    expectNone(importCycles(), "move what these files share to a file that imports none of them:");
  });

  it("has no operation file that imports another operation", () => {
    const operation = /^src\/service\/(?!(?:access|dispatch|pipeline|posting|reading|validation)\/)[a-z]+\//;
    const wrong = sources
      .filter(({ path }) => operation.test(path))
      .flatMap((source) =>
        importsOf(source)
          .filter((target) => operation.test(target) && dirname(target) !== dirname(source.path))
          .map((target) => `${source.path} → ${target}`),
      );
    expectNone(
      wrong,
      "move what both operations need to src/domain, src/store, or src/service/access and reading:",
    );
  });

  it("reads time and randomness only in the kernel, and in one file each of SDK and CLI", () => {
    const banned =
      /\bDate\.now\(|new Date\(\)|Math\.random\(|randomUUID|node:perf_hooks|process\.hrtime\.|from "node:crypto";?.*random/;
    const allowed = (path: string) =>
      path.startsWith("src/kernel/") ||
      ["sdk/src/runtime/clock.ts", "daemon/console/page/app/clock.ts", "cli/clock.ts"].includes(path);
    const wrong = sources.filter(({ path, text }) => !allowed(path) && banned.test(text));
    expectNone(
      wrong.map(({ path }) => path),
      "read the time and random values from src/kernel, or the clock.ts of the SDK, CLI or console:",
    );
  });

  it("contains SQL only in the store", () => {
    const sql = /\b(SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b/;
    const wrong = sources.filter(({ layer, text }) => layer !== "src/store" && sql.test(text));
    expectNone(
      wrong.map(({ path }) => path),
      "move the SQL to a function of src/store:",
    );
  });

  it("uses the engine only in the store", () => {
    const wrong = sources.filter(
      ({ path, text }) => !path.startsWith("src/store/") && /from "(sqlite3|pg)"/.test(text),
    );
    expectNone(
      wrong.map(({ path }) => path),
      "use the `Engine` of src/store/engine instead of a driver:",
    );
  });

  it("has only files with kebab-case names", () => {
    const misnamed = sources.filter(
      ({ path }) => !/\/[a-z0-9]+(-[a-z0-9]+)*\.(ts|tsx)$/.test(path.replace(/\d{4}-/, "")),
    );
    expectNone(
      misnamed.map(({ path }) => path),
      "rename the file to lower-case words with hyphens:",
    );
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
    expectNone(wide, `wrap these comments at column ${LAST_COLUMN}:`);
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
    expectNone(
      wrong.map(({ path }) => path),
      "finish the work, or describe what is missing in docs:",
    );
  });
});
