/**
 * Summarises a CPU profile: the time that the main thread spent in each part of the program and in each
 * function. Compiled files are mapped to their source files. Argument: a `.cpuprofile` file.
 */
import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";

interface Profile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
    children?: number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Maximum number of listed functions. */
const MAX_LISTED_FUNCTIONS = 40;

const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Profile;
const maps = new Map<string, SourceMap | undefined>();
const frames = new Map(nodes.map((node) => [node.id, sourceLocation(node.callFrame)]));
const parents = new Map(
  nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)),
);
const parts = new Map<string, number>();
const functions = new Map<string, number>();
let busy = 0;

// Samples before the first request belong to the start.
const first = samples.findIndex((id) => frames.get(id)!.url.endsWith("daemon/http/app.ts"));

for (const [n, id] of samples.entries()) {
  if (n < first) continue;
  const { functionName, url, lineNumber } = frames.get(id)!;
  const time = timeDeltas[n]!;
  if (functionName === "(idle)" || functionName === "(program)") continue;
  busy += time;
  add(parts, partOf(id), time);
  add(functions, `${functionName || "(anonymous)"} ${shortened(url)}:${lineNumber + 1}`, time);
}

show(parts, MAX_LISTED_FUNCTIONS);
process.stdout.write("\n");
show(functions, MAX_LISTED_FUNCTIONS);

/** Maps a location in a compiled file to its source file; returns it unchanged if there is no source map. */
function sourceLocation(frame: Profile["nodes"][number]["callFrame"]) {
  if (!frame.url.startsWith("file:")) return frame;
  if (!maps.has(frame.url)) {
    const file = `${fileURLToPath(frame.url)}.map`;
    const map = existsSync(file)
      ? new SourceMap(JSON.parse(readFileSync(file, "utf8")) as SourceMapPayload)
      : undefined;
    maps.set(frame.url, map);
  }
  const entry = maps.get(frame.url)?.findEntry(frame.lineNumber, frame.columnNumber);
  if (!entry || !("originalSource" in entry)) return frame;
  return { ...frame, url: entry.originalSource, lineNumber: entry.originalLine };
}

/**
 * Returns the part of the program that a sample belongs to. Native code counts for its nearest caller that
 * has a file.
 */
function partOf(id: number): string {
  if (frames.get(id)!.functionName === "(garbage collector)") return "garbage collector";
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const { url } = frames.get(at)!;
    if (url === "") continue;
    const name = shortened(url);
    if (name.startsWith("node:")) return name.split("/")[0]!.replace("internal", "node:internal");
    return name.startsWith("node_modules/")
      ? name
          .split("/")
          .slice(0, name.includes("/@") ? 3 : 2)
          .join("/")
      : name;
  }
  return "native";
}

function shortened(url: string): string {
  return url.replace(/^.*\/(?=node_modules\/)|^file:\/\/.*\/dist\/|^(\.\.\/)+/, "");
}

function add(sums: Map<string, number>, key: string, time: number): void {
  sums.set(key, (sums.get(key) ?? 0) + time);
}

function show(sums: Map<string, number>, count: number): void {
  for (const [name, time] of [...sums].sort(([, a], [, b]) => b - a).slice(0, count)) {
    process.stdout.write(`${((time / busy) * 100).toFixed(1).padStart(5)} %  ${name}\n`);
  }
}
