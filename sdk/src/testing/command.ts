/** Finds the `wireroom` command, which is not in the SDK's package. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Looks for the package `wireroom` next to the SDK, then in the `node_modules` of the working directory and
 * its parents. Throws an `Error` that says what to install.
 */
export function findCommand(): string {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    const manifest = resolveManifest(from);
    if (manifest === undefined) continue;
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { wireroom: string } };
    return join(dirname(manifest), bin.wireroom);
  }
  throw new Error(
    "cannot find the package `wireroom`, which contains the daemon: make its tarball with `npm pack` in a checkout of Wireroom and install that, or pass the path of its `dist/cli/main.js` in the option `command`",
  );
}

function resolveManifest(from: string): string | undefined {
  try {
    return createRequire(from).resolve("wireroom/package.json");
  } catch {
    return undefined;
  }
}
