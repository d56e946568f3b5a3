import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** @param path path relative to the folder of package.json; a module's own path changes in the build */
export function readPackageFile(path: string): Promise<string> {
  return readFile(join(dirname(createRequire(import.meta.url).resolve("#package.json")), path), "utf8");
}

export function packageVersion(): string {
  return (createRequire(import.meta.url)("#package.json") as { version: string }).version;
}
