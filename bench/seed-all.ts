/** `npm run bench:seed`: generates the databases of the benchmarks that do not exist yet. */
import { seededDatabase } from "./data/seed.js";

const SIZES = [0, 10_000, 100_000, 1_000_000];

for (const wires of SIZES) {
  const file = await seededDatabase({ wires }, (line) => void process.stdout.write(`${line}\n`));
  process.stdout.write(`${wires} wires: ${file}\n`);
}
