/**
 * `npm run bench`, `npm run faults` and the like: compiles the TypeScript project of a folder, which is not
 * published, and runs one of its programs. Arguments: the folder, the program, and the program's arguments.
 * Only `npm run check` checks types.
 */
import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder, program, ...args] = process.argv.slice(2);

run(["node_modules/typescript-native/bin/tsc", "-p", `${folder}/tsconfig.json`, "--noCheck"]);
// Without this link, `packageFile` could find another package, to which the folder may belong.
const manifest = `${root}${folder}/.build/package.json`;
rmSync(manifest, { force: true });
symlinkSync(`${root}package.json`, manifest);
run(["--enable-source-maps", `${folder}/.build/${folder}/${program}.js`, ...args]);

function run(command) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
