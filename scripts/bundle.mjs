/**
 * `npm run bundle`: makes `dist/wireroom.mcpb`, the MCP bundle of the stdio bridge for hosts such as Claude Desktop, and
 * verifies it. With a path as argument, writes the bundle there.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packExtension, unpackExtension, validateManifest } from "@anthropic-ai/mcpb";
import { installAndBuild } from "./ready.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const target = resolve(process.argv[2] ?? join(dist, "wireroom.mcpb"));

installAndBuild(["wireroom"]);
const folder = mkdtempSync(join(tmpdir(), "wireroom-bundle-"));
try {
  const content = join(folder, "content");
  const manifest = JSON.parse(readFileSync(join(root, "integrations/mcpb/manifest.json"), "utf8"));
  for (const file of importedFiles(manifest.server.entry_point.replace(/^server\//, "")))
    copy(join(dist, file), join(content, "server", file));
  copy(join(root, "integrations/mcpb/manifest.json"), join(content, "manifest.json"));
  copy(join(root, "LICENSE"), join(content, "LICENSE"));
  // Node takes `.js` for CommonJS without this file.
  writeFileSync(join(content, "package.json"), `${JSON.stringify({ type: "module" })}\n`);

  check(validateManifest(join(content, "manifest.json")), "the manifest is not valid");
  mkdirSync(dirname(target), { recursive: true });
  check(await packExtension({ extensionPath: content, outputPath: target }), "the bundle was not made");
  const unpacked = join(folder, "unpacked");
  check(await unpackExtension({ mcpbPath: target, outputDir: unpacked }), "the bundle cannot be unpacked");
  check(validateManifest(join(unpacked, "manifest.json")), "the manifest in the bundle is not valid");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns a compiled file and all files that it imports, as paths below `dist`. Throws if one of them imports a package. */
function importedFiles(entry) {
  const files = new Set([entry]);
  for (const file of files) {
    const text = readFileSync(join(dist, file), "utf8");
    const imports = text.matchAll(/^(?:import|export)\b[^;"]*\bfrom "([^"]+)"|^import "([^"]+)"/gm);
    for (const [, from, alone] of imports) {
      const specifier = from ?? alone;
      if (specifier.startsWith("node:")) continue;
      if (!specifier.startsWith(".")) throw new Error(`${file} imports the package ${specifier}`);
      files.add(relative(dist, resolve(dist, dirname(file), specifier)));
    }
  }
  return files;
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function check(isOk, problem) {
  if (!isOk) throw new Error(problem);
}
