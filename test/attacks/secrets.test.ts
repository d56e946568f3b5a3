/**
 * No secret of a run appears where it does not belong: logs, errors, output, process lists, metrics, other
 * files.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fastClockEnv } from "../harness/clock-skew.js";
import type { CommandResult } from "../harness/command.js";
import { COMMAND, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { Human, PASSWORD } from "../harness/human.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const SMTP_PASSWORD = "smtp-password-4f1c";
const WRONG_PASSWORD = "a wrong password 77";

let daemon: TestDaemon;
let human: Human;
/** The secrets of the run, by their names. */
const secrets = new Map<string, string>([
  ["the password", PASSWORD],
  ["a wrong password", WRONG_PASSWORD],
  ["the password of the mail server", SMTP_PASSWORD],
]);
/** Everything that commands printed and that the daemon answered. */
const printed: string[] = [];
/** The command lines of processes. */
let processes = "";

const tokenFile = () => human.profilePath().replace(/json$/, "tokens");

/** Runs a command, and keeps what it printed. */
async function run(...args: string[]): Promise<CommandResult> {
  const ended = await human.run(args);
  printed.push(ended.stdout, ended.stderr);
  return ended;
}

beforeAll(async () => {
  daemon = await startDaemon({ embeddedIdentity: true, args: ["--log-level", "trace"] });
  human = new Human(() => daemon);
  await human.signUpAndLogIn();
  await run("handle", "create", "alice");
  await run("key", "issue", "alice", "--save");
  const { signIn, keys } = await human.readProfile();
  const issued = await daemon.client(signIn.idToken).post("/handles/alice/token");
  secrets.set("the access token", issued.body.token);
  await run("handle", "create", "alice-two");
  await run("inbox", "--as", "alice-two");
  secrets.set("the saved access token", /wt_\w{43}/.exec(readFileSync(tokenFile(), "utf8"))![0]);
  secrets.set("the API key", keys.alice);
  secrets.set("the ID token", signIn.idToken);
  secrets.set("the refresh token", signIn.refreshToken);

  for (const line of [
    "whoami",
    "send @alice hi",
    "inbox",
    "key list",
    "audit",
    "limits",
    "send @nobody hi",
  ]) {
    await run(...line.split(" "));
    await run(...line.split(" "), "--json");
  }
  printed.push((await run("export", "-")).stdout);

  // Requests with the secrets in wrong places.
  const { alice: key } = keys;
  for (const authorization of [
    `Bearer ${issued.body.token}`,
    `Bearer ${issued.body.token}x`,
    `Basic ${issued.body.token}`,
    `Bearer ${key}x`,
    `Basic ${key}`,
    key,
    `Bearer ${key} ${key}`,
    `Bearer ${signIn.idToken}x`,
  ])
    for (const path of ["/v1/profile", "/v1/account", "/mcp", "/nowhere"]) {
      const method = path === "/mcp" ? "POST" : "GET";
      const response = await fetch(`${daemon.origin}${path}`, { method, headers: { authorization } });
      printed.push(await response.text());
    }
  const post = (path: string, body: string) =>
    fetch(`${daemon.origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body,
    });
  for (const body of [
    `{"text": "${key}"`,
    `{"to": "@alice", "${key}": 1}`,
    JSON.stringify({ password: PASSWORD }),
  ])
    for (const path of ["/v1/wires", "/identity/sign-up", "/identity/confirm"])
      await (await post(path, body)).text();
  printed.push(await (await fetch(`${daemon.origin}/metrics`)).text());
  const wrong = await human.run(["login", "--email", human.email], {
    env: { WIREROOM_PASSWORD: WRONG_PASSWORD },
  });
  printed.push(wrong.stdout, wrong.stderr);

  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      processes += readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      // The process has ended.
    }
  }

  // A mail server that does not answer, and a daemon that cannot start.
  const mailUrl = `smtp://wireroom:${SMTP_PASSWORD}@127.0.0.1:1`;
  const mailing = await startDaemon({
    embeddedIdentity: true,
    env: { WIREROOM_SMTP_URL: mailUrl },
    args: ["--log-level", "trace"],
  });
  const signUp = await fetch(`${mailing.origin}/identity/sign-up`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "b@example.com", password: PASSWORD }),
  });
  printed.push(await signUp.text());
  await mailing.stop();
  printed.push(mailing.log());
  for (const url of [mailUrl.replace("smtp:", "ftp:"), `${mailUrl}:x`]) {
    const doctor = await human.spawn(["doctor", "--data-dir", daemon.dataDir], {
      env: { WIREROOM_SMTP_URL: url },
    });
    const start = await human.spawn(["daemon", "--port", "0"], {
      env: { WIREROOM_SMTP_URL: url },
    });
    expect(start.code).toBe(1);
    printed.push(doctor.stdout, doctor.stderr, start.stdout, start.stderr);
  }
  const database = `postgres://wireroom:${SMTP_PASSWORD}@127.0.0.1:1/none`;
  // The daemon tries to connect for 10 s.
  const failed = await human.spawn(["daemon", "--port", "0"], {
    env: { ...fastClockEnv(5), WIREROOM_DATABASE_URL: database },
  });
  expect(failed.code).toBe(1);
  printed.push(failed.stdout, failed.stderr);
}, 120_000);

afterAll(() => daemon.stop());

/** Returns the names of the secrets that a text contains. */
function found(text: string | Buffer): string[] {
  return [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
}

describe("the secrets of a run", () => {
  it("exist", () => {
    expect(secrets.size).toBe(8);
    for (const [name, secret] of secrets) expect(secret?.length, name).toBeGreaterThan(10);
    expect(daemon.log().length).toBeGreaterThan(1_000);
  });

  it("are not in the daemon's log at level trace", () => {
    expect(found(daemon.log())).toEqual([]);
  });

  it("are not in the output of commands, responses, metrics, exports and start errors", () => {
    expect(printed.join("").length).toBeGreaterThan(5_000);
    for (const text of printed) expect(found(text), text.slice(0, 2_000)).toEqual([]);
  });

  it("are not in the command line of any process", () => {
    expect(processes).toContain(COMMAND);
    expect(found(processes)).toEqual([]);
  });

  it("are not in the files of the daemon, which a thief of a backup gets", () => {
    const files = readdirSync(daemon.dataDir).map((name) => join(daemon.dataDir, name));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      if (statSync(file).isFile()) expect(found(readFileSync(file)), file).toEqual([]);
  });

  it("are in the profile and in the file of its tokens, which only its owner can read, whatever the umask", () => {
    const path = human.profilePath();
    expect(found(readFileSync(tokenFile()))).toEqual(["the saved access token"]);
    const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
    expect(found(readFileSync(path))).toEqual(["the API key", "the ID token", "the refresh token"]);
    expect([modeOf(path), modeOf(dirname(path))]).toEqual(["600", "700"]);
    execFileSync(
      "/bin/sh",
      ["-c", `umask 000; "${process.execPath}" "${COMMAND}" key issue alice --save --profile open`],
      {
        env: { ...process.env, WIREROOM_CONFIG_DIR: human.folder, WIREROOM_URL: daemon.base },
      },
    );
    const others = readdirSync(dirname(path)).map((name) => join(dirname(path), name));
    expect(others.map(modeOf)).toEqual(others.map(() => "600"));
    expect(others).toHaveLength(3);
  });
});

it("no diagnostic report of Node contains the environment", async () => {
  const folder = new TemporaryFolder("wireroom-report-").path;
  const key = secrets.get("the API key")!;
  const child = spawn(process.execPath, [COMMAND, "mcp"], {
    env: {
      ...process.env,
      WIREROOM_URL: daemon.base,
      WIREROOM_API_KEY: key,
      NODE_OPTIONS: `--report-on-signal --report-directory=${folder}`,
    },
  });
  child.stdin.write("nonsense\n");
  await once(child.stdout, "data");
  child.kill("SIGUSR2");
  // Without `excludeEnv`, reports are off, and the signal ends the process.
  const canExclude = "excludeEnv" in process.report!;
  if (canExclude) await expect.poll(() => readdirSync(folder)).toHaveLength(1);
  else await once(child, "exit");
  child.kill("SIGKILL");
  for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), "utf8")).not.toContain(key);
});
