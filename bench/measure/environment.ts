/** The environment of a benchmark row: the load process, the settings, and the cleanup at the end. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GROWING } from "../data/dataset.js";
import { seededDatabase } from "../data/seed.js";
import { Generator } from "../load/generator.js";
import { type DaemonOptions, type PostgresDatabase, startDaemon } from "../servers/daemon.js";
import { type PostgresServer, startPostgres } from "../servers/postgres.js";
import type { Server } from "../servers/process.js";
import { cpuOf } from "../servers/usage.js";

export interface BenchSettings {
  rounds: number;
  /** Duration of one measurement. */
  seconds: number;
  /** Number of wires per database instead of the usual sizes, for a quick check of a row. */
  wires?: number;
  /** Duration of `soak`. */
  minutes?: number;
  /** Posts a second of `soak`. Default: half of the peak. */
  rate?: number;
  /** Days that the daemon of `soak` retains wires. Default: for ever. */
  retain?: number;
  /** The command of another build, which replaces the Koa baseline. */
  against?: string;
  say(line: string): void;
}

export class BenchEnvironment {
  readonly generator = new Generator();
  private server: Promise<PostgresServer> | undefined;
  private readonly endings: (() => Promise<void> | void)[] = [() => this.generator.close()];

  constructor(readonly settings: BenchSettings) {}

  /** Starts a daemon on a copy of the database with this number of wires. */
  async daemon(wires: number, options?: DaemonOptions): Promise<Server> {
    const server = await startDaemon(await this.database(wires), options);
    this.atEnd(() => server.stop());
    return server;
  }

  /**
   * Starts a daemon on a copy of a database of `npm run bench:growth`, and waits until it has verified all
   * wires.
   */
  async growingDaemon(wires: number): Promise<Server> {
    const database = await seededDatabase({ wires, distribution: GROWING }, this.settings.say);
    const server = await startDaemon(database);
    this.atEnd(() => server.stop());
    await untilIdle(server);
    return server;
  }

  database(wires: number, agents?: number): Promise<string> {
    const size = this.settings.wires ?? wires;
    return seededDatabase({ wires: size, ...(agents && { agents }) }, this.settings.say);
  }

  /** Creates a folder that is deleted at the end of the row. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-"));
    this.atEnd(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Returns the PostgreSQL server of this row; the first call starts it. */
  postgres(): Promise<PostgresServer> {
    this.server ??= startPostgres().then((server) => {
      this.atEnd(() => server.stop());
      return server;
    });
    return this.server;
  }

  /** Creates a PostgreSQL database with this number of wires. */
  async postgresDatabase(wires: number): Promise<PostgresDatabase> {
    const server = await this.postgres();
    return server.create(this.settings.wires ?? wires, this.settings.say);
  }

  /** Starts several daemons on one PostgreSQL database. The load is distributed over them. */
  async daemonsOn(database: PostgresDatabase, count = 1): Promise<Server> {
    const servers: Server[] = [];
    for (let n = 0; n < count; n++) {
      const server = await startDaemon(database);
      this.atEnd(() => server.stop());
      servers.push(server);
    }
    return { ...servers[0]!, beside: servers.slice(1) };
  }

  atEnd(ending: () => Promise<void> | void): void {
    this.endings.push(ending);
  }

  async close(): Promise<void> {
    for (const ending of this.endings.splice(0).reverse()) await ending();
  }
}

/**
 * Seconds between two samples of a server's CPU time, and the share of a processor below which it is idle.
 */
const LOOK_SECONDS = 2;
const IDLE_SHARE = 0.03;

async function untilIdle({ pid }: Server): Promise<void> {
  const used = () => cpuOf(pid)?.all ?? 0;
  for (let before = used(), share = 1; share > IDLE_SHARE; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_SECONDS * 1_000));
    const after = used();
    share = (after - before) / 1_000 / LOOK_SECONDS;
    before = after;
  }
}
