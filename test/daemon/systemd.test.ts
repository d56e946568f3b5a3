/** Tests of the systemd units in docs/deploy, which docs/running-as-a-service.md describes. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../daemon/settings.js";
import { type Body, COMMAND } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { runInProcess } from "../harness/in-process.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const deploy = resolve(import.meta.dirname, "../../docs/deploy");
const UNITS = [
  "wireroom.service",
  "wireroom-backup.service",
  "wireroom-backup.timer",
  "wireroom-watch@.service",
];
/** Paths of the command and of the backups in the units. */
const INSTALLED = "/opt/wireroom/bin/wireroom";
const BACKUPS = "/var/backups/wireroom";

const unit = (name: string) => readFileSync(join(deploy, name), "utf8");
const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

const { daemon } = await daemonFixture();

/** Runs the backup command of the unit like systemd, with other paths. */
function backUpInto(folder: string): void {
  const [, quoted] = unit("wireroom-backup.service").match(/^ExecStart=\/bin\/sh -c '(.+)'$/m)!;
  const command = quoted!
    .replaceAll("$$", () => "$")
    .replaceAll("%%", "%")
    .replace(INSTALLED, `${process.execPath} ${COMMAND}`)
    .replace(BACKUPS, folder);
  execFileSync("/bin/sh", ["-c", command], { env: { ...process.env, WIREROOM_DATA_DIR: daemon.dataDir } });
}

/** Returns the arguments of `wireroom` in the unit of systemd, or in that of launchd. */
function watchArguments(name: string): string[] {
  if (name.endsWith(".service")) return /^ExecStart=\S+ (.+)$/m.exec(unit(name))![1]!.split(" ");
  const [, list] = /<key>ProgramArguments<\/key>\s*<array>(.*?)<\/array>/s.exec(unit(name))!;
  return [...list!.matchAll(/<string>(.*?)<\/string>/g)].map(([, word]) => word!).slice(1);
}

describe("the systemd units", () => {
  it("use the same data folder, which is the state directory of both services", () => {
    for (const service of UNITS.slice(0, 2)) {
      const [, value] = unit(service).match(/^Environment=WIREROOM_DATA_DIR=(.+)$/m)!;
      const [, state] = unit(service).match(/^StateDirectory=(.+)$/m)!;
      expect(readSettings({}, { WIREROOM_DATA_DIR: value }).dataDir).toBe(`/var/lib/${state}`);
    }
  });

  it("back up a running daemon into one file for each day of the week", () => {
    const folder = new TemporaryFolder("wireroom-systemd-").path;
    backUpInto(folder);
    backUpInto(folder);
    const files = readdirSync(folder);
    expect(files).not.toEqual([]);
    for (const file of files) expect(file).toMatch(/^wireroom-[1-7]\.db$/);
  });

  it.each(["wireroom-watch@.service", "com.example.wireroom-watch.plist"])(
    "%s starts a watch whose command answers wires",
    async (name) => {
      const agent = await daemon.createAgent(name.startsWith("com") ? "launchd-agent" : "systemd-agent");
      await agent.post("/wires", { to: `@${agent.slug}`, text: "hello" });
      const folder = new TemporaryFolder("wireroom-watch-unit-").path;
      const example = join(deploy, "handle-item");
      const args = watchArguments(name).map((word) => (word.startsWith("/") ? example : word));
      const profile = { url: daemon.base, handle: "alice", keys: { alice: agent.key } };
      mkdirSync(join(folder, "profiles"));
      writeFileSync(join(folder, "profiles/default.json"), JSON.stringify(profile), { mode: 0o600 });
      const [command, ...rest] = args.map((word) => word.replace("%i", "alice"));
      const { code } = await runInProcess([command!, "--once", ...rest], {
        env: {
          WIREROOM_CONFIG_DIR: folder,
          WIREROOM_API_KEY: name.startsWith("com") ? "" : agent.key,
          WIREROOM_URL: daemon.base,
        },
      });
      expect(code).toBe(0);
      expect((await agent.get("/inbox")).body.wires).toEqual([]);
      const sent = (await agent.get("/sent")).body.wires.map((wire: Body) => wire.text_body);
      expect(sent).toEqual(["You asked: hello", "hello"]);
    },
  );

  it.skipIf(!hasSystemd)("pass systemd-analyze verify", () => {
    const folder = new TemporaryFolder("wireroom-units-").path;
    for (const name of UNITS) writeFileSync(join(folder, name), unit(name).replaceAll(INSTALLED, "/bin/sh"));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...UNITS.map((name) => `./${name}`)], {
      cwd: folder,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
