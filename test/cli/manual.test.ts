/** The manual page, and `wireroom version`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../cli/program.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { freePort } from "../harness/free-port.js";
import { runInProcess } from "../harness/in-process.js";
import { isInstalled } from "../harness/is-installed.js";

const root = resolve(import.meta.dirname, "../..");
const { man, files, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe("the manual page", () => {
  // [C-man]
  it("is in the package, and names every command and option", async () => {
    expect(files).toContain(man);
    const page = readFileSync(join(root, man), "utf8").replaceAll("\\-", "-").replaceAll("\\.", ".");
    const missing: string[] = [];
    const check = (command: Command, path: string) => {
      if (!page.includes(`.SS ${path}\n`)) missing.push(path);
      const options = command.createHelp().visibleOptions(command);
      for (const { flags } of options)
        if (!page.includes(`\\fB${flags.replaceAll("…", "...")}\\fP`)) missing.push(`${path} ${flags}`);
      for (const child of command.commands) check(child, `${path} ${child.name()}`);
    };
    const program = await buildProgram();
    for (const command of program.commands) check(command, `wireroom ${command.name()}`);
    expect(missing.filter((each) => !each.endsWith("--help"))).toEqual([]);
    expect(page).not.toMatch(/[^\n\x20-\x7e]/);
  });

  // [C-man]
  it("states the defaults that --help shows, and so do the pages of docs/cli", async () => {
    const { stdout } = await runInProcess(["watch", "--help"]);
    expect(stdout).not.toContain('(default: "")');
    const textOf = (file: string) => readFileSync(join(root, file), "utf8").replaceAll("\\-", "-");
    const pages = ["messaging", "more"].map((name) => textOf(`docs/cli/${name}.md`)).join("\n");
    for (const text of [textOf(man), pages])
      for (const shown of [
        "further attempts if the command fails (default: 4)",
        "where to start in a space that was never watched before (latest, beginning; default: latest)",
        "name of the entry (default: wireroom)",
      ])
        expect(text).toContain(shown);
  });

  // [C-man]
  it.runIf(isInstalled("groff"))("is shown as written, without a warning", () => {
    const shown = execFileSync("groff", ["-man", "-ww", "-Tutf8", "-P-cbou", join(root, man)], {
      stdio: ["ignore", "pipe", "pipe"],
    }).toString();
    const checked = execFileSync("sh", [
      "-c",
      `groff -man -ww -z -Tutf8 "${join(root, man)}" 2>&1`,
    ]).toString();
    expect(checked).toBe("");
    expect(shown).toContain('wireroom send \'#ops\' "disk full" --payload \'{"host": "db1", "free": 0}\'');
    expect(shown).toMatch(/\n +--port <port>\n +port to listen on/);
  });
});

describe("wireroom version", async () => {
  const { daemon } = await hostedFixture();
  const folder = mkdtempSync(join(tmpdir(), "wireroom-version-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const env = { WIREROOM_CONFIG_DIR: folder, WIREROOM_DATA_DIR: folder };

  // [C-version]
  it("shows its own version, and that of the API of a daemon that it cannot see", async () => {
    const { code, stdout } = await runInProcess(["version", "--json", "--url", daemon.base], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      version,
      node: process.versions.node,
      daemon: { url: daemon.base, version: null, api_version: version },
    });
    const plain = await runInProcess(["version", "--url", daemon.base], { env });
    expect(plain.stdout).toContain(`wireroom\t${version}\n`);
    expect((await runInProcess(["--version"])).stdout).toBe(`${version}\n`);
  });

  // [C-version]
  it("says that no daemon answers, and succeeds", async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const { code, stdout } = await runInProcess(["version", "--url", url], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("daemon\tno daemon answers\n")]);
    expect(existsSync(join(folder, "wireroom.db"))).toBe(false);
  });
});
