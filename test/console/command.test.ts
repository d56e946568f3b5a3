import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ownedHandle } from "../harness/console.js";
import { startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { freePort } from "../harness/free-port.js";
import { Human } from "../harness/human.js";
import { OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);
const ada = new Human(() => daemon);

describe("wireroom console", () => {
  let env: { WIREROOM_ID_TOKEN: string };
  beforeAll(async () => {
    env = { WIREROOM_ID_TOKEN: await (await OAuthHuman.signUp(daemon)).idToken() };
  });

  // [C-console]
  it("prints the address in a pipe, and opens it on a terminal", async () => {
    const url = `${daemon.origin}/console`;
    expect(await ada.run(["console"])).toMatchObject({ code: 0, stdout: `${url}\n` });
    expect(await ada.runJson(["console"])).toEqual({ url, opened: false });
    const folder = new TemporaryFolder("wireroom-browser-").path;
    const [browser, opened] = [join(folder, "browser"), join(folder, "opened")];
    await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    await chmod(browser, 0o755);
    const terminal = ada.spawnTerminal(["console"], { env: { BROWSER: browser } });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen).toContain(url);
    expect(terminal.screen).toContain(
      "You are not signed in. To open the console signed in, first run: wireroom init",
    );
    await expect.poll(() => readFile(opened, "utf8").catch(() => "")).toBe(url);
  });

  // [C-console]
  it("signs the browser in, with the sign-in of the profile or of WIREROOM_ID_TOKEN", async () => {
    const { code, stdout, stderr } = await ada.run(["console", "--print"], { env });
    expect(stderr).toContain("It works once, within 60 seconds.");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/#ticket=\w+\n$/) });
    const [, ticket] = stdout.trim().split("#ticket=");
    const response = await fetch(`${daemon.origin}/identity/console-session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: daemon.origin },
      body: JSON.stringify({ ticket }),
    });
    expect(response.status).toBe(204);
  });

  // [C-console-links] [C-approval-watch]
  it("links from a list of approvals on a terminal, and from the command of approval watch", async () => {
    const owner = daemon.client(env.WIREROOM_ID_TOKEN);
    const alice = await ownedHandle(daemon, owner, "alice-agent");
    await ownedHandle(daemon, owner, "bob-agent");
    await owner.put("/handles/alice-agent/egress", { mode: "approval" });
    await alice.post("/wires", { to: "@bob-agent", text: "hi" });
    const { approvals } = await ada.runJson(["approval", "list"], { env });
    const terminal = ada.spawnTerminal(["approval", "list"], { env, columns: 140 });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen).toContain(
      `In the console: ${daemon.origin}/console/approvals/${approvals[0].id}`,
    );
    const words = ["approval", "watch", "--exec", 'echo "at $WIREROOM_CONSOLE_URL"'];
    const watch = ada.spawnTerminal(words, { env, columns: 140 });
    await watch.waitFor(`at ${daemon.origin}/console/approvals/${approvals[0].id}`);
    watch.kill();
  });

  // [C-console]
  it("fails like other commands if no daemon answers", async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    const { code, stderr } = await ada.run(["console", "--url", url]);
    expect(code).toBe(8);
    expect(stderr).toContain("(CONNECTION_FAILED)");
    expect(stderr).toContain("Start it: wireroom up");
    expect((await ada.run(["console"])).code).toBe(0);
  });

  // [C-console]
  it("says so if the daemon serves none", async () => {
    const other = await startDaemon({ ...OAUTH_DAEMON, env: { WIREROOM_CONSOLE: "off" } });
    const { code, stderr } = await ada.run(["console", "--url", other.base]);
    expect(code).toBe(5);
    expect(stderr).toContain("there is no console at");
    await other.stop();
  });
});
