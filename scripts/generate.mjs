/**
 * `npm run generate`: writes the files that are generated from the contract and the CLI commands, updates the
 * code that the guide quotes, and copies the skill into the integrations. With `--check`, it fails if the
 * committed files differ.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { guidePages } from "./guide.mjs";
import { installAndBuild } from "./ready.mjs";

// Do not build the console yet, because it may use what is only now generated.
await installAndBuild(["wireroom", "tests"]);
const { manualPage } = await import("./manual.mjs");
const root = fileURLToPath(new URL("..", import.meta.url));
const { openApiDocument } = await import("../dist/src/generate/openapi.js");
const { sdkFiles } = await import("../dist/src/generate/sdk.js");
const { referencePages } = await import("../dist/cli/reference/page.js");

const SDK = "sdk/src/generated";
const reference = await referencePages();
const skill = readFileSync(join(root, "integrations/skill/SKILL.md"), "utf8");

const files = {
  "docs/openapi.json": `${JSON.stringify(openApiDocument("http://127.0.0.1:4747/v1"), null, 2)}\n`,
  ...reference,
  "docs/wireroom.1": manualPage(Object.values(reference)),
  // The plugin and the extension must contain it, because their hosts copy their folders.
  "integrations/claude-code/skills/wireroom/SKILL.md": skill,
  "integrations/gemini/skills/wireroom/SKILL.md": skill,
  ...guidePages(root),
  ...Object.fromEntries(Object.entries(sdkFiles()).map(([path, text]) => [`${SDK}/${path}`, text])),
};

let stale = false;
for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  if (process.argv.includes("--check")) {
    if (readOrEmpty(file) === text) continue;
    process.stderr.write(`${path} is out of date; run: npm run generate\n`);
    stale = true;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
for (const name of readdirSync(join(root, SDK))) {
  const path = `${SDK}/${name}`;
  if (path in files) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`${path} is obsolete; run: npm run generate\n`);
    stale = true;
  } else {
    rmSync(join(root, path));
  }
}
process.exitCode = stale ? 1 : 0;
await installAndBuild();

function readOrEmpty(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
