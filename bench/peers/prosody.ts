/**
 * Prosody, an XMPP server. It pushes a message to its recipient; the response to a ping sent after it
 * acknowledges it.
 */
import { existsSync } from "node:fs";
import { chown, mkdir, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { findProgram, freePort, idsOf, launch, type Peer } from "./peer.js";

const USER = "prosody";
const PASSWORD = "secret";
/** Number of pairs that have accounts. */
const PAIRS = 64;

export const prosody: Peer = {
  name: "Prosody",
  durability: "handed on; kept on disk for those who are away",
  async start(folder) {
    const command = findProgram("prosody");
    if (!command) return "prosody is not installed";
    const ids = idsOf(USER);
    const accounts = join(folder, "localhost", "accounts");
    await mkdir(accounts, { recursive: true });
    for (let pair = 0; pair < PAIRS; pair++) {
      for (const side of ["s", "r"]) {
        await writeFile(join(accounts, `${side}${pair}.dat`), `return { ["password"] = "${PASSWORD}" };\n`);
      }
    }
    const port = await freePort();
    const config = join(folder, "prosody.cfg.lua");
    await writeFile(config, settings(folder, port));
    if (ids) {
      for (const path of [folder, join(folder, "localhost"), accounts]) await chown(path, ids.uid, ids.gid);
    }
    if (!existsSync("/usr/lib/prosody")) return "prosody's modules are not where Debian puts them";
    return launch({ command, args: ["--config", config, "-F"], port, user: USER });
  },
  async connect(url, _run, pair) {
    const [sender, receiver] = [new XmppClient(url, `s${pair}`), new XmppClient(url, `r${pair}`)];
    await Promise.all([sender.login(), receiver.login()]);
    receiver.write("<presence/>");
    let pings = 0;
    return {
      async exchange(text) {
        const received = receiver.until("</message>");
        const id = `ping${pings++}`;
        const acknowledged = sender.until(id);
        sender.write(
          `<message to='r${pair}@localhost' type='chat'><body>${text}</body></message>` +
            `<iq type='get' id='${id}' to='localhost'><ping xmlns='urn:xmpp:ping'/></iq>`,
        );
        await acknowledged;
        await received;
      },
      close() {
        sender.close();
        receiver.close();
      },
    };
  },
};

function settings(folder: string, port: number): string {
  return `
data_path = "${folder}"
pidfile = "${folder}/prosody.pid"
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
legacy_ssl_ports = {}
modules_enabled = { "roster", "saslauth", "offline", "ping", "disco" }
modules_disabled = { "s2s", "tls" }
authentication = "internal_plain"
c2s_require_encryption = false
allow_unencrypted_plain_auth = true
limits = {}
log = { error = "${folder}/prosody.err" }
VirtualHost "localhost"
`;
}

const OPEN =
  "<stream:stream to='localhost' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>";

class XmppClient {
  private readonly socket: Socket;
  private buffer = "";
  private wanted: { text: string; found(): void } | undefined;

  constructor(
    url: string,
    private readonly user: string,
  ) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname).setNoDelay(true);
    this.socket.on("error", () => undefined);
    this.socket.on("data", (chunk) => {
      this.buffer += chunk.toString();
      this.look();
    });
  }

  async login(): Promise<void> {
    this.write(OPEN);
    await this.until("</stream:features>");
    const secret = Buffer.from(`\0${this.user}\0${PASSWORD}`).toString("base64");
    this.write(`<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>${secret}</auth>`);
    await this.until("<success");
    this.write(OPEN);
    await this.until("</stream:features>");
    this.write("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>");
    await this.until("</iq>");
  }

  write(xml: string): void {
    this.socket.write(xml);
  }

  /** Waits until the text arrives, and discards everything before it. */
  until(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.wanted = { text, found: resolve };
      this.look();
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private look(): void {
    const { wanted } = this;
    const at = wanted ? this.buffer.indexOf(wanted.text) : -1;
    if (!wanted || at < 0) return;
    this.buffer = this.buffer.slice(at + wanted.text.length);
    this.wanted = undefined;
    wanted.found();
  }
}
