/** PostgreSQL with a simple message table: one INSERT per message, and a SELECT by recipient. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, chmod, chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { findProgram, freePort, idsOf, launch, type Peer } from "./peer.js";

const USER = "postgres";
const PROGRAMS = "/usr/lib/postgresql";

const TABLE = `
  CREATE TABLE IF NOT EXISTS wires (
    seq bigserial PRIMARY KEY, id text UNIQUE, sender int, recipient text, body text, created timestamptz DEFAULT now());
  CREATE INDEX IF NOT EXISTS inbox ON wires (recipient, seq)`;
const INSERT = "INSERT INTO wires (id, sender, recipient, body) VALUES ($1, $2, $3, $4) RETURNING seq";
const SELECT =
  "SELECT seq, id, sender, body, created FROM wires WHERE recipient = $1 AND seq > $2 ORDER BY seq LIMIT 50";

export const postgres: Peer = {
  name: "PostgreSQL",
  durability: "fsync",
  async start(folder) {
    const versions = existsSync(PROGRAMS) ? readdirSync(PROGRAMS).map((v) => join(PROGRAMS, v, "bin")) : [];
    const [initdb, command] = [findProgram("initdb", versions), findProgram("postgres", versions)];
    if (!initdb || !command) return "postgresql is not installed";
    const ids = idsOf(USER);
    if (ids && Number.isNaN(ids.uid)) return `there is no user ${USER} to run PostgreSQL as`;
    const data = join(folder, "data");
    await mkdir(data);
    if (ids) {
      await chmod(folder, 0o755);
      await chown(data, ids.uid, ids.gid);
    }
    const made = spawnSync(initdb, ["-D", data, "-A", "trust", "-U", USER], { ...ids, encoding: "utf8" });
    if (made.status !== 0) return `initdb failed: ${made.stderr}`;
    const port = await freePort();
    await appendFile(
      join(data, "postgresql.conf"),
      `\nport=${port}\nlisten_addresses='127.0.0.1'\nmax_connections=300\nshared_buffers=512MB\nunix_socket_directories=''\nmax_wal_size=4GB\n`,
    );
    const server = await launch({ command, args: ["-D", data], port, user: USER });
    const client = await connected(server.url);
    await client.query(TABLE);
    await client.end();
    return server;
  },
  async connect(url, run, pair) {
    const [sender, receiver] = [await connected(url), await connected(url)];
    const recipient = `${run}-${pair}`;
    let sent = 0;
    let last = "0";
    return {
      async exchange(text) {
        const values = [`${recipient}-${sent++}`, pair, recipient, text];
        await sender.query({ name: "insert", text: INSERT, values });
        const { rows } = await receiver.query<{ seq: string }>({
          name: "select",
          text: SELECT,
          values: [recipient, last],
        });
        last = rows.at(-1)!.seq;
      },
      close() {
        void sender.end();
        void receiver.end();
      },
    };
  },
};

export async function connected(url: string): Promise<pg.Client> {
  const { hostname, port } = new URL(url);
  for (let attempt = 0; ; attempt++) {
    const client = new pg.Client({ host: hostname, port: Number(port), user: USER, database: USER });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      // PostgreSQL accepts connections before it is ready for queries.
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
