/** The daemon of `wireroom demo`, with clients for its humans and agents. Ignores the user's settings. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMAND } from "../../../daemon/local/offline.js";
import { Wireroom, WireroomDashboard } from "../../../sdk/src/api.js";
import { type RunningDaemon, startDaemon } from "../../../sdk/src/testing/daemon.js";
import { requestJson } from "../sign-in/http.js";

export interface Owner {
  client: WireroomDashboard;
  idToken: string;
  createAgent(fields: { slug: string; contact_policy?: "contacts_only" }): Promise<Wireroom>;
}

export class DemoDaemon {
  private readonly clients: { close(): Promise<void> }[] = [];
  private isKept = false;

  private constructor(private readonly daemon: RunningDaemon) {}

  static async start(): Promise<DemoDaemon> {
    return new DemoDaemon(await startDaemon(COMMAND, ["--log-level", "warn"], { detached: true }));
  }

  async signIn(name: string): Promise<Owner> {
    const secret = await readFile(join(this.daemon.folder, "local-sign-in"), "utf8");
    const body = { secret: secret.trim(), email: `${name}@localhost` };
    const { id_token: idToken } = (await this.post("/identity/local", body)) as { id_token: string };
    const { baseUrl } = this.daemon;
    const client = new WireroomDashboard({ baseUrl, idToken, maxRetries: 0 });
    const createAgent: Owner["createAgent"] = async (fields) => {
      const { id } = await client.handles.create(fields);
      const { key } = await client.keys.issue({ handle_id: id });
      const agent = new Wireroom({ baseUrl, apiKey: key, maxRetries: 0 });
      this.clients.push(agent);
      return agent;
    };
    this.clients.push(client);
    return { client, idToken, createAgent };
  }

  /** Lets the daemon run on after `end`. */
  async keep({ idToken }: Owner): Promise<{ pid: number; consoleUrl: string }> {
    const headers = { authorization: `Bearer ${idToken}` };
    const { url } = (await this.post("/identity/console-ticket", {}, headers)) as { url: string };
    this.daemon.keep();
    this.isKept = true;
    return { pid: this.daemon.pid, consoleUrl: url };
  }

  async end(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    if (!this.isKept) await this.daemon.stop();
  }

  private post(path: string, body: object, headers?: Record<string, string>): Promise<unknown> {
    return requestJson(new URL(path, this.daemon.baseUrl).href, body, headers);
  }
}
