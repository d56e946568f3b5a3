/** Finds files of this package. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Returns the absolute path of a file in this package. Paths relative to a module would break in the build,
 * because the build bundles modules.
 * @param path path relative to the folder of package.json
 */
export function packageFile(path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("#package.json")), path);
}
