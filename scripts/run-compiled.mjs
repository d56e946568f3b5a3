/**
 * `npm run bench`, `npm run faults` and the like: compiles the TypeScript project of a folder, which is not
 * published, and runs one of its programs. Arguments: the folder, the program, and the program's arguments.
 * Only `npm run check` checks types.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [folder, program, ...args] = process.argv.slice(2);

run(["node_modules/typescript-native/bin/tsc", "-p", `${folder}/tsconfig.json`, "--noCheck"]);
run(["--enable-source-maps", `${folder}/.build/${folder}/${program}.js`, ...args]);

function run(command) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
