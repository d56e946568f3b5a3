/** Paths that the benchmarks use. The compiled benchmarks run from `bench/.build/bench`. */
import { resolve } from "node:path";

const build = resolve(import.meta.dirname);
const root = resolve(build, "../../..");

export const PATHS = {
  /** Folder of the compiled benchmark programs. */
  build,
  /** The `wireroom` command, as published. */
  command: resolve(root, "dist/cli/main.js"),
  /** Folder of the generated databases; WIREROOM_BENCH_DATA overrides it. */
  data: resolve(process.env.WIREROOM_BENCH_DATA ?? resolve(root, "bench/.data")),
  results: resolve(root, "bench/results"),
  package: resolve(root, "package.json"),
};
