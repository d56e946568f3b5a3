/**
 * `npm run bench` and `npm run bench:seed`: compiles the benchmarks, which are no part of what is published, and runs
 * them. Arguments: the program, and what it is given.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const [program, ...args] = process.argv.slice(2);

run(["node_modules/typescript-native/bin/tsc", "-p", "bench/tsconfig.json"]);
run(["--enable-source-maps", `bench/.build/bench/${program}.js`, ...args]);

function run(command) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
