/** A sign-up and a first wire in one line, in a real shell on a real terminal of an empty machine. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { COMMAND } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { confirmationCodes } from "../harness/human.js";
import { KEYS, Terminal } from "../harness/terminal.js";

const FIRST_USE =
  "wireroom up && wireroom signup && wireroom handle create alice" +
  " && wireroom send @alice hello && wireroom inbox";

let folder: string;
let shell: Terminal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "wireroom-first-use-"));
  const script = `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`;
  await writeFile(join(folder, "wireroom"), script, { mode: 0o755 });
  shell = new Terminal("bash", ["--norc", "--noprofile"], {
    columns: 100,
    rows: 60,
    env: {
      PATH: `${folder}:${process.env.PATH}`,
      PS1: "$ ",
      WIREROOM_CONFIG_DIR: join(folder, "config"),
      WIREROOM_DATA_DIR: join(folder, "data"),
      WIREROOM_PORT: String(await freePort()),
      WIREROOM_URL: undefined,
      WIREROOM_API_KEY: undefined,
      WIREROOM_ID_TOKEN: undefined,
    },
  });
});

afterEach(async () => {
  shell.press("wireroom down; exit", KEYS.enter);
  await shell.exitCode;
  await rm(folder, { recursive: true, force: true });
});

// [C-first-use]
it("gets from an empty machine to the first wire in one line, and each step prints the next one", async () => {
  await shell.waitFor("$");
  shell.press(FIRST_USE, KEYS.enter);
  await shell.waitFor("E-mail:");
  expect(shell.history).toMatch(/url +http:\/\/127\.0\.0\.1:\d+\/v1/);
  shell.press("me@example.com", KEYS.enter);
  await shell.waitFor("New password");
  shell.press("a long enough password", KEYS.enter);
  await shell.waitFor("Repeat the password");
  shell.press("a long enough password", KEYS.enter);
  await shell.waitFor("Read the log in another terminal: wireroom logs");
  await shell.waitFor("Code (press");
  const log = () => readFile(join(folder, "data", "daemon.log"), "utf8");
  await expect.poll(async () => confirmationCodes(await log(), "me@example.com")).toHaveLength(1);
  shell.press(confirmationCodes(await log(), "me@example.com")[0]!, KEYS.enter);
  await shell.waitFor("wireroom inbox --cursor");
  for (const step of ["init", "handle create NAME", "send @alice hello", "inbox"])
    expect(shell.history).toContain(`\n  wireroom ${step}`);
  expect(shell.history).toMatch(/\n {2}hello\n/);
  expect(shell.history).not.toContain("a long enough password");
  expect(await log()).not.toMatch(/w[rt]_[A-Za-z0-9]{43}|a long enough password/);
}, 180_000);
