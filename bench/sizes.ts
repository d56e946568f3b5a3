/**
 * `npm run bench:sizes -- DATABASE_URL [WIRES]`: prints the bytes on disk of each table and index of a
 * database, divided by its number of wires. With WIRES, it first fills an empty database with the data of
 * `npm run bench:growth`. It reads a whole SQLite file.
 */
import pg from "pg";
import { parseSqliteUrl } from "../src/store/engine/database-url.js";
import { isPostgresUrl } from "../src/store/engine/postgres/url.js";
import { Connection } from "../src/store/engine/sqlite/connection.js";
import { openStore } from "../src/store/index.js";
import { GROWING } from "./data/dataset.js";
import { fill } from "./data/seed.js";

interface Part {
  /** The table to which the part belongs. */
  table: string;
  name: string;
  bytes: number;
}

interface Counts {
  wires: number;
  dms: number;
  votes: number;
  /** Mean size of the JSON of a wire. */
  dm_doc: number;
  space_doc: number;
}

const COUNTS = `SELECT count(*) AS wires, count(recipient) AS dms, (SELECT count(*) FROM votes) AS votes,
  avg(CASE WHEN space IS NULL THEN octet_length(doc) END) AS dm_doc,
  avg(CASE WHEN space IS NOT NULL THEN octet_length(doc) END) AS space_doc FROM wires`;

/** FTS5 stores its index in separate tables. */
const SQLITE_PARTS = `SELECT coalesce(s.tbl_name, 'schema') AS "table", d.name, d.pgsize AS bytes
  FROM (SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE LIMIT -1) d LEFT JOIN sqlite_schema s ON s.name = d.name
  ORDER BY d.pgsize DESC`;

/** The size of a table includes its TOAST storage. */
const POSTGRES_PARTS = `
  SELECT coalesce(t.relname, c.relname) AS "table", c.relname AS name,
    CASE c.relkind WHEN 'r' THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END::float8 AS bytes
  FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid
  WHERE c.relkind IN ('r', 'i') AND c.relnamespace = current_schema::regnamespace ORDER BY 3 DESC`;

async function sqliteSizes(url: string): Promise<{ parts: Part[]; counts: Counts }> {
  const connection = await Connection.openReadOnly(parseSqliteUrl(url));
  try {
    const parts = await connection.all<Part>(SQLITE_PARTS);
    return { parts, counts: (await connection.get<Counts>(COUNTS))! };
  } finally {
    await connection.close();
  }
}

async function postgresSizes(url: string): Promise<{ parts: Part[]; counts: Counts }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("VACUUM ANALYZE");
    const parts = (await client.query<Part>(POSTGRES_PARTS)).rows;
    const [counts] = (await client.query<Record<keyof Counts, string>>(COUNTS)).rows;
    const numbers = Object.entries(counts!).map(([name, text]) => [name, Number(text)]);
    return { parts, counts: Object.fromEntries(numbers) };
  } finally {
    await client.end();
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`);

const [url, wanted] = process.argv.slice(2);
if (!url || (wanted !== undefined && !(Number(wanted) >= 1))) {
  process.stderr.write("usage: npm run bench:sizes -- DATABASE_URL [WIRES]\n");
  process.exit(2);
}
if (wanted !== undefined) {
  const store = await openStore(url);
  try {
    if (await store.engine.reader.get("SELECT 1 FROM handles LIMIT 1"))
      throw new Error("the database is in use; name an empty one");
    await fill(store, { wires: Number(wanted), distribution: GROWING }, say);
  } finally {
    await store.engine.close();
  }
}

const { parts, counts } = await (isPostgresUrl(url) ? postgresSizes(url) : sqliteSizes(url));
const perWire = (bytes: number) => (bytes / counts.wires).toFixed(1).padStart(9);
say(`${counts.wires} wires, ${counts.dms} of them direct messages; ${counts.votes} votes`);
say(
  `mean JSON: ${Math.round(counts.dm_doc)} bytes of a direct message, ${Math.round(counts.space_doc)} of others`,
);
for (const { table, name, bytes } of parts)
  if (bytes >= counts.wires / 2) say(`${perWire(bytes)}  ${name}${name === table ? "" : ` (${table})`}`);
say(`${perWire(parts.reduce((sum, { bytes }) => sum + bytes, 0))}  bytes a wire in all`);
