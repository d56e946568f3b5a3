/** Paths of files of this package. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Returns the absolute path of a file of this package. A path relative to a module would be wrong in the
 * build, which bundles the modules.
 * @param path the path below the folder of package.json
 */
export function packageFile(path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("#package.json")), path);
}
