/**
 * `npm run bundle`: makes `dist/wireroom.mcpb`, the MCP bundle of the stdio bridge for hosts such as Claude
 * Desktop, and verifies it. With a path as argument, writes the bundle there.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { packExtension, unpackExtension, validateManifest } from "@anthropic-ai/mcpb";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const target = resolve(process.argv[2] ?? join(dist, "wireroom.mcpb"));

const folder = mkdtempSync(join(tmpdir(), "wireroom-bundle-"));
try {
  const content = join(folder, "content");
  const manifest = JSON.parse(readFileSync(join(root, "integrations/mcpb/manifest.json"), "utf8"));
  const program = manifest.server.entry_point.replace(/^server\//, "");
  const bundle = await rolldown({
    input: join(root, program.replace(/js$/, "ts")),
    platform: "node",
    external: rejectPackage,
  });
  await bundle.write({ file: join(content, "server", program) });
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

/** Throws for the import of a package. */
function rejectPackage(specifier, importer) {
  if (specifier.startsWith(".") || isAbsolute(specifier) || isBuiltin(specifier)) return false;
  throw new Error(`${importer} imports the package ${specifier}`);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function check(isOk, problem) {
  if (!isOk) throw new Error(problem);
}
