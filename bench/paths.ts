/** Where things are. The benchmarks run compiled, from `bench/.build/bench`. */
import { resolve } from "node:path";

const build = resolve(import.meta.dirname);
const root = resolve(build, "../../..");

export const PATHS = {
  /** Compiled programs of the benchmarks. */
  build,
  /** The command `wireroom`, as it is published. */
  command: resolve(root, "dist/cli/main.js"),
  /** Generated databases; another folder with WIREROOM_BENCH_DATA. */
  data: resolve(process.env.WIREROOM_BENCH_DATA ?? resolve(root, "bench/.data")),
  results: resolve(root, "bench/results"),
  package: resolve(root, "package.json"),
};
