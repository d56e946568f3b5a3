/** Tests of the systemd units in docs/deploy, which docs/running-as-a-service.md describes. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "../../daemon/settings.js";
import { COMMAND } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const deploy = resolve(import.meta.dirname, "../../docs/deploy");
const UNITS = ["wireroom.service", "wireroom-backup.service", "wireroom-backup.timer"];
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
