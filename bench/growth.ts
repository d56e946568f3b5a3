/**
 * `npm run bench:growth -- postgres://… [WIRES]`: fills an empty PostgreSQL database with the data of the benchmarks, and
 * prints the disk space of each table per wire.
 */
import pg from "pg";
import { openStore } from "../src/store/index.js";
import { AGENTS } from "./data/dataset.js";
import { fill } from "./data/seed.js";

interface Size {
  name: string;
  rows: number;
  table: number;
  indexes: number;
}

/** Queries the size of each table. `pg_table_size` includes TOAST storage. */
const SIZES = `
  SELECT c.relname AS name, c.reltuples::float8 AS rows, pg_table_size(c.oid)::float8 AS table,
    pg_indexes_size(c.oid)::float8 AS indexes
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema::regnamespace
  ORDER BY pg_total_relation_size(c.oid) DESC`;

const [url, count = "100000"] = process.argv.slice(2);
const wires = Number(count);
if (!url || !Number.isInteger(wires) || wires < 1) {
  process.stderr.write("usage: npm run bench:growth -- postgres://user@host/database [WIRES]\n");
  process.exit(2);
}

const store = await openStore(url);
try {
  if (await store.engine.reader.get("SELECT 1 FROM handles LIMIT 1"))
    throw new Error("the database is in use; name an empty one");
  await fill(store, wires, AGENTS, (line) => void process.stdout.write(`${line}\n`));
} finally {
  await store.engine.close();
}

const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query("VACUUM ANALYZE");
const { rows: sizes } = await client.query<Size>(SIZES);
await client.end();

const perWire = (bytes: number) => (bytes / wires).toFixed(0).padStart(8);
process.stdout.write("bytes a wire      table  indexes     rows a wire\n");
for (const { name, rows, table, indexes } of sizes) {
  if (table + indexes < wires) continue;
  const line = [name.padEnd(14), perWire(table), perWire(indexes), (rows / wires).toFixed(2).padStart(14)];
  process.stdout.write(`${line.join(" ")}\n`);
}
const total = sizes.reduce((sum, { table, indexes }) => sum + table + indexes, 0);
process.stdout.write(`all ${perWire(total).trim()} bytes a wire\n`);
