/** What every row works with: the load process, the length of its rounds, and what must be stopped when it ends. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededDatabase } from "../data/seed.js";
import { Generator } from "../load/generator.js";
import { type DaemonOptions, type PostgresDatabase, startDaemon } from "../servers/daemon.js";
import { type PostgresServer, startPostgres } from "../servers/postgres.js";
import type { Server } from "../servers/process.js";

export interface LabSettings {
  rounds: number;
  /** Length of one measurement. */
  seconds: number;
  /** Wires in place of the usual sizes of databases, for a quick look. */
  wires?: number;
  /** The command of another build, to be measured in place of the Koa floor. */
  against?: string;
  say(line: string): void;
}

export class Lab {
  readonly generator = new Generator();
  private server: Promise<PostgresServer> | undefined;
  private readonly endings: (() => Promise<void> | void)[] = [() => this.generator.close()];

  constructor(readonly settings: LabSettings) {}

  /** A daemon on a copy of the database with that many wires. */
  async daemon(wires: number, options?: DaemonOptions): Promise<Server> {
    const server = await startDaemon(await this.database(wires), options);
    this.atEnd(() => server.stop());
    return server;
  }

  database(wires: number, agents?: number): Promise<string> {
    const size = this.settings.wires ?? wires;
    return seededDatabase({ wires: size, ...(agents && { agents }) }, this.settings.say);
  }

  /** A folder that lasts as long as the row. */
  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-bench-"));
    this.atEnd(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** The PostgreSQL server of this row. */
  postgres(): Promise<PostgresServer> {
    this.server ??= startPostgres().then((server) => {
      this.atEnd(() => server.stop());
      return server;
    });
    return this.server;
  }

  /** A new database on it with that many wires. */
  async postgresDatabase(wires: number): Promise<PostgresDatabase> {
    const server = await this.postgres();
    return server.create(this.settings.wires ?? wires, this.settings.say);
  }

  /** Daemons on one such database, between which load is spread. */
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
