/**
 * `npm run bench:seed`: generates the databases of the benchmarks that do not exist yet. `npm run bench:seed
 * -- growing 10000000` generates a database of `npm run bench:growth`.
 */
import { GROWING, STANDARD } from "./data/dataset.js";
import { seededDatabase } from "./data/seed.js";

const SIZES = [0, 10_000, 100_000, 1_000_000];

const [kind, ...named] = process.argv.slice(2);
const sizes = named.length > 0 ? named.map(Number) : SIZES;
const distribution = kind === "growing" ? GROWING : STANDARD;

for (const wires of sizes) {
  const file = await seededDatabase(
    { wires, distribution },
    (line) => void process.stdout.write(`${line}\n`),
  );
  process.stdout.write(`${wires} wires: ${file}\n`);
}
