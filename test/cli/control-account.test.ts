/** Audit log, export, retirement and operator commands. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parsePastTime } from "../../cli/input/values.js";
import { sendWire } from "../harness/api-helpers.js";
import { fastClockEnv, SettableClock } from "../harness/clock-skew.js";
import { runProcess } from "../harness/command.js";
import { type AgentClient, type Body, NO_LIMITS_FEW_LOGS, startDaemon } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { setEgressPolicy } from "../harness/egress.js";
import { startFaultProxy } from "../harness/fault-proxy.js";
import { grantOperator } from "../harness/operator.js";
import { SignedInHuman } from "../harness/signed-in-human.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";
import { KEYS } from "../harness/terminal.js";

const { daemon } = await hostedFixture([], {});
let ada: SignedInHuman;
let alice: AgentClient;
const folder = new TemporaryFolder("wireroom-export-").path;

beforeAll(async () => {
  alice = await daemon.createAgent("alice", {}, "ada");
  ada = await SignedInHuman.create(daemon, "ada");
  await setEgressPolicy(alice, { mode: "allowlist" });
});

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("wireroom audit", () => {
  // [C-audit]
  it("prints the entries newest first, with filters", async () => {
    const { entries } = await ada.runJson(["audit", "--since", "1h"]);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "egress.changed",
      "key.issued",
      "handle.created",
    ]);
    const { stdout } = await ada.run(["audit", "--handle", "@alice", "--action", "egress.changed"]);
    expect(stdout).toMatch(
      /^\S+\t\S+Z\thuman\talice\tegress.changed\t@alice\tok\t\S+\t\tmode: open -> allowlist\n$/,
    );
    expect((await ada.runJson(["audit", "--until", "1h"])).entries).toEqual([]);
    expect((await ada.run(["audit", "--action", "nothing.done"])).code).toBe(2);
    expect((await ada.run(["audit", "--except", "key.isued"])).stderr).toContain("Did you mean key.issued?");
    expect((await ada.run(["audit", "--since", "soon"])).code).toBe(2);
    const asHandle = await ada.run(["audit", "--as", "@alice"]);
    expect(asHandle).toMatchObject({ code: 2, stdout: "" });
    expect(asHandle.stderr).toContain("wireroom audit acts as the human of the account, not as a handle");
    expect(asHandle.stderr).toContain("wireroom audit --handle @alice\n");
    expect((await ada.run(["key", "list", "--as", "alice"])).stderr).toContain("leave out --as (USAGE)\n");
    const asActive = await ada.run(["audit", "--limit", "1"], { env: { WIREROOM_HANDLE: "alice" } });
    expect(asActive.code).toBe(0);
    const terminal = ada.openTerminal(["audit", "--limit", "1"]);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toMatch(
      /^time +actor +action +handle +subject +outcome +detail\n\S.*human +egress.changed +@alice/,
    );
    expect(terminal.history).toContain("wireroom audit --cursor");
  });

  // [C-audit]
  it("accepts durations, dates and date-times", () => {
    expect(parsePastTime("start")("2026-01-31")).toBe("2026-01-31T00:00:00.000Z");
    expect(parsePastTime("end")("2026-01-31")).toBe("2026-02-01T00:00:00.000Z");
    expect(parsePastTime("end")("2026-01-31T12:00:00+02:00")).toBe("2026-01-31T10:00:00.000Z");
    const days = (Date.now() - Date.parse(parsePastTime("start")("7d"))) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    for (const never of ["", "soon", "2026", "2026-01-31T12:00", "999999y", "-1d", "2026-02-30"])
      expect(() => parsePastTime("start")(never), never).toThrow("Expected 12h");
  });

  // [C-audit-export]
  it("exports one entry per line", async () => {
    const { stdout } = await ada.run(["audit", "--all", "--json", "--limit", "2"]);
    const { body } = await alice.owner.get("/audit");
    expect(linesOf(stdout)).toEqual(body.entries);
    const plain = await ada.run(["audit", "--all"]);
    expect(plain.stdout.trimEnd().split("\n")).toHaveLength(body.entries.length);
  });
});

describe("wireroom export", () => {
  // [C-export] [C-export-file]
  it("writes all lines to a private file, and replaces no file without permission", async () => {
    const file = join(folder, "all.jsonl");
    const written = await ada.runJson(["export", file]);
    const text = readFileSync(file, "utf8");
    const lines = linesOf(text);
    expect(written).toEqual({ file, lines: lines.length, bytes: Buffer.byteLength(text) });
    expect(lines[0]).toMatchObject({ type: "account", email: "ada@example.com" });
    expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length - 1 });
    expect(statSync(file).mode & 0o777).toBe(0o600);

    writeFileSync(file, "mine");
    const unasked = await ada.run(["export", file]);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain("--force");
    expect(readFileSync(file, "utf8")).toBe("mine");
    const { code, stdout } = await ada.run(["export", file, "--force"]);
    expect([code, stdout]).toEqual([0, `${file}\n`]);
    expect((await ada.run(["export", folder, "--force"])).code).toBe(2);
    expect((await ada.run(["export", join(folder, "none", "all.jsonl")])).code).toBe(1);
    expect(readdirSync(folder)).toEqual(["all.jsonl"]);
  });

  // [C-export] [C-call-lines]
  it("prints to standard output, as `wireroom call` does", async () => {
    for (const args of [
      ["export", "-"],
      ["call", "account.export"],
    ]) {
      const { code, stdout } = await ada.run(args);
      expect(code).toBe(0);
      expect(linesOf(stdout).at(-1).type).toBe("end");
    }
  });

  // [C-json-fields] [C-json-jq]
  it("prints only the fields of --json, and the results of --jq, of each line", async () => {
    const fields = await ada.run(["export", "-", "--json=type"]);
    expect(linesOf(fields.stdout).slice(0, 2)).toEqual([{ type: "account" }, { type: "handle" }]);
    const results = await ada.run(["export", "-", "--jq", 'select(.type == "handle") | .slug']);
    expect(results).toMatchObject({ code: 0, stdout: "alice\n" });
    expect((await ada.run(["export", "-", "--json=nope"])).code).toBe(2);
  });

  // [C-export-cut]
  it("leaves no file and exits with 8 if the response is incomplete", async () => {
    const proxy = await startFaultProxy(() => daemon.origin);
    proxy.setDefaultFault(({ path }) => (path.endsWith("/export") ? "cut-within" : "pass"));
    const file = join(folder, "cut.jsonl");
    const cut = await ada.run(["export", file, "--json"], { env: { WIREROOM_URL: proxy.base } });
    await proxy.close();
    expect([cut.code, JSON.parse(cut.stderr).code]).toEqual([8, "CONNECTION_FAILED"]);
    expect(readdirSync(folder).filter((name) => name.includes("cut"))).toEqual([]);
  });

  // [C-export-cut]
  it("leaves no file after Ctrl-C", async () => {
    const stalled = createServer((_, response) => {
      response.setHeader("content-type", "application/x-ndjson");
      response.write('{"type":"account"}\n');
    });
    await new Promise<void>((resolve) => stalled.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(stalled.address() as AddressInfo).port}/v1`;
    const terminal = ada.spawnTerminal(["export", join(folder, "stalled.jsonl")], {
      env: { WIREROOM_URL: url },
    });
    const parts = () => readdirSync(folder).filter((name) => name.includes("stalled"));
    while (parts().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    terminal.press(KEYS.interrupt);
    expect(await terminal.exitCode).toBe(130);
    stalled.closeAllConnections();
    stalled.close();
    expect(parts()).toEqual([]);
  });
});

describe("wireroom handle retire", () => {
  // [C-retire]
  it("explains its effect, and asks for the handle's name", async () => {
    const leaving = await daemon.createAgent("leaving", {}, "ada");
    for (const text of ["hello", "are you there?"]) await sendWire(leaving, "@leaving", { text });
    await ada.runJson(["key", "issue", "leaving", "--save"]);
    const unasked = await ada.run(["handle", "retire", "leaving", "--json"]);
    expect([unasked.code, JSON.parse(unasked.stderr).code]).toEqual([10, "NO_TERMINAL"]);
    const wrong = ada.openTerminal(["handle", "retire", "leaving"], { columns: 130 });
    await wrong.waitFor("Type leaving to confirm:");
    expect(wrong.history).toContain("Its name can never be used again");
    expect(wrong.history).toContain("2 items in its inbox are unread.");
    wrong.press("y\r");
    expect(await wrong.exitCode).toBe(10);
    const typed = ada.openTerminal(["handle", "retire", "@leaving"], { columns: 130 });
    await typed.waitFor("Type leaving to confirm:");
    typed.press("@leaving\r");
    expect(await typed.exitCode).toBe(0);
    expect(await ada.readProfile()).toMatchObject({ keys: {} });
    expect((await ada.readProfile()).handle).toBeUndefined();
    expect((await alice.owner.get("/handles")).body.handles).toHaveLength(1);
    for (const args of [
      ["handle", "show", "leaving"],
      ["key", "issue", "@leaving"],
      ["egress", "show", "leaving"],
      ["inbox", "--as", "leaving"],
      ["send", "@leaving", "hi", "--as", "alice"],
    ]) {
      const { code, stderr } = await ada.run(args);
      expect({ code, stderr }, args.join(" ")).toEqual({
        code: 5,
        stderr: expect.stringMatching(/retired.* its name cannot be used again/),
      });
      expect(stderr).not.toContain("handle create");
    }
  });

  // [C-retire]
  it("accepts --yes, and says what happens to its spaces", async () => {
    const owner = await daemon.createAgent("landlord", {}, "ada");
    await owner.post("/spaces", { slug: "flat", visibility: "public" });
    expect((await ada.run(["handle", "retire", "--help"])).stdout).toContain("longest-standing mod");
    expect((await ada.run(["handle", "retire", "landlord", "--yes"])).code).toBe(0);
    expect((await alice.get("/spaces/flat")).body).toMatchObject({
      posting_rights: "mods",
      member_counts: { owner: 0 },
    });
    await daemon.createAgent("tenant", {}, "ada");
    expect(await ada.runJson(["handle", "retire", "tenant", "--yes"])).toEqual({
      slug: "tenant",
      retired: true,
    });
  });
});

describe("wireroom operator", () => {
  // [C-operator-acts]
  it("suspends, reactivates and removes with an operator's key", async () => {
    const judge = await daemon.createAgent("judge");
    const mallory = await daemon.createAgent("mallory");
    const asJudge = { env: { WIREROOM_API_KEY: judge.key } };
    const refused = await ada.run(["operator", "suspend", "@mallory"], asJudge);
    expect(refused.code).toBe(4);
    expect((await ada.run(["operator", "remove-wire", "no-such-wire"], asJudge)).code).toBe(4);
    await grantOperator(daemon, "@judge");
    const itself = await ada.run(["operator", "suspend", "@judge"], asJudge);
    expect(itself).toMatchObject({ code: 2, stderr: expect.stringContaining("error handle: an operator ") });
    const body = { slug: "mallory", suspended: true };
    expect(await ada.runJson(["operator", "suspend", "@mallory", "--yes"], asJudge)).toEqual(body);
    expect((await mallory.get("/profile")).status).toBe(403);
    expect((await ada.run(["operator", "restore", "mallory"], asJudge)).stdout).toBe("@mallory\n");
    const second = await daemon.createAgent("mallory-two", {}, "mallory");
    expect(await ada.runJson(["operator", "suspend", "@mallory", "--account", "--yes"], asJudge)).toEqual(
      body,
    );
    expect((await second.get("/profile")).status).toBe(403);
    await ada.runJson(["operator", "restore", "mallory", "--account"], asJudge);
    expect((await second.get("/profile")).status).toBe(200);
    const wire = await mallory.post("/wires", { to: "@judge", text: "spam" });
    const { id } = wire.body;
    expect((await ada.run(["operator", "remove-wire", id], asJudge)).code).toBe(10);
    const removed = await ada.runJson(["operator", "remove-wire", id, "--yes"], asJudge);
    expect(removed).toMatchObject({ id, tombstone: { removed_by: "operator" } });
  });

  // [C-operator-reason]
  it("takes a reason as an option or on a terminal, and the audit log shows it", async () => {
    const judge = await daemon.createAgent("judge-two", {}, "ada");
    await grantOperator(daemon, "judge-two");
    const rude = await daemon.createAgent("rude", {}, "ada");
    const asJudge = { env: { WIREROOM_API_KEY: judge.key } };
    const noOperator = await ada.run(["operator", "status", "--as", "rude"]);
    expect(noOperator.code).toBe(4);
    expect(noOperator.stderr).toContain("@judge-two of your account is an operator: add --as @judge-two\n");
    const remove = async () => (await rude.post("/wires", { to: "@judge-two", text: "rude" })).body.id;
    await ada.runJson(["operator", "remove-wire", await remove(), "--yes", "--reason", "by option"], asJudge);
    await ada.runJson(["operator", "suspend", "rude", "--reason", "e\u001b[2Jscape", "--yes"], asJudge);
    expect((await ada.run(["handle", "show", "rude"])).stdout).toContain("suspended\tyes\n");
    expect((await ada.run(["handle", "list"])).stdout).toMatch(/^@rude\t.*\tyes$/m);
    expect((await ada.run(["profile", "show"], asJudge)).stdout).toContain("operator\tyes\n");
    const again = await ada.run(["operator", "suspend", "rude", "--reason", "another"], asJudge);
    expect(again).toMatchObject({ code: 0, stdout: "@rude\n" });
    expect(again.stderr).toContain('@rude was already suspended, with the reason "e');
    expect(again.stderr.split("wireroom operator restore")).toHaveLength(2);
    await ada.runJson(["operator", "restore", "rude", "--reason", "was a mistake"], asJudge);
    const id = await remove();
    const terminal = ada.openTerminal(["operator", "remove-wire", id], { ...asJudge, columns: 130 });
    await terminal.waitFor("Reason, for the audit logs (Enter for none):");
    terminal.press("typed by hand\r");
    await terminal.waitFor("permanently? [y/N]");
    terminal.press("y\r");
    expect(await terminal.exitCode).toBe(0);
    const silent = ada.openTerminal(["operator", "suspend", "rude"], { ...asJudge, columns: 130 });
    await silent.waitFor("(Enter for none):");
    silent.press("\r");
    await silent.waitFor("Suspend @rude? [y/N]");
    silent.press("y\r");
    expect(await silent.exitCode).toBe(0);
    const { entries } = await ada.runJson(["audit", "--handle", "rude", "--limit", "5"]);
    expect(entries.map(({ action, reason }: Body) => [action, reason])).toEqual([
      ["handle.suspended", null],
      ["wire.removed", "typed by hand"],
      ["handle.restored", "was a mistake"],
      ["handle.suspended", "e\u001b[2Jscape"],
      ["wire.removed", "by option"],
    ]);
    const listed = ada.openTerminal(["audit", "--handle", "rude", "--limit", "5"], { columns: 160 });
    expect(await listed.exitCode).toBe(0);
    expect(listed.history).toMatch(/^time +actor +action +handle +subject +outcome +reason\n/);
    expect(listed.history).toContain("typed by hand");
    const piped = await ada.run(["audit", "--handle", "rude", "--limit", "4"]);
    expect(piped.stdout).toContain("\ttyped by hand\t\n");
    expect(piped.stdout).not.toContain("\u001b[2J");
    const tooLong = await ada.run(["operator", "restore", "rude", "--reason", "x".repeat(501)], asJudge);
    expect(tooLong.code).toBe(2);
  });

  // [C-operator-looks-up]
  it("finds handles and shows wires of others", async () => {
    const judge = await daemon.createAgent("judge-three", {}, "ada");
    await grantOperator(daemon, "judge-three");
    const asJudge = { env: { WIREROOM_API_KEY: judge.key } };
    const shady = await daemon.createAgent("shady", { display_name: "Shady\u001b[2J Deals", bio: "sells" });
    await daemon.createAgent("shadow");
    const { id } = (await shady.post("/wires", { to: "@judge-three", text: "an \u001b[2Joffer" })).body;
    await shady.post("/wires", { to: "@shadow", text: "another offer" });
    const found = await ada.runJson(["operator", "handles", "shad", "--not-suspended"], asJudge);
    expect(found.handles.map(({ slug }: Body) => slug)).toEqual(["shadow", "shady"]);
    expect((await ada.runJson(["operator", "handles", "shad", "--suspended"], asJudge)).handles).toEqual([]);
    expect((await ada.run(["operator", "handles", "--suspended", "--not-suspended"], asJudge)).code).toBe(2);
    const table = await ada.run(["operator", "handles", "shady"], asJudge);
    expect(table.stdout).toMatch(/^@shady\tShady.* Deals\t2\t-\tno\t\S+Z\n$/);
    await ada.runJson(["operator", "suspend", "shady", "--reason", "offers", "--yes"], asJudge);
    const { stdout } = await ada.run(["operator", "show-handle", "@shady"], asJudge);
    for (const line of [/^suspended by\t@judge-three$/m, /^reason\toffers$/m, /^bio\tsells$/m])
      expect(stdout).toMatch(line);
    const wires = await ada.runJson(["operator", "wires", "shady"], asJudge);
    expect(wires.wires.map(({ text_body }: Body) => text_body)).toEqual([
      "another offer",
      "an \u001b[2Joffer",
    ]);
    const shown = await ada.run(["operator", "show-wire", id], asJudge);
    expect(shown.stdout).toContain("\t@shady\t@judge-three\tan ");
    for (const output of [table.stdout, stdout, shown.stdout]) expect(output).not.toContain("\u001b[2J");
    expect((await ada.run(["operator", "show-wire", "no-such-wire"], asJudge)).code).toBe(5);
    const next = ada.openTerminal(["operator", "wires", "shady", "--limit", "1", "--as", "judge-three"], {
      columns: 160,
    });
    expect(await next.exitCode).toBe(0);
    expect(next.history).toContain("wireroom --as judge-three operator wires shady --cursor");
  });

  // [C-operator-looks-up]
  it("waits for the limit on reads of wires with --all", async () => {
    const clock = new SettableClock();
    const limited = await startDaemon({ args: NO_LIMITS_FEW_LOGS, env: clock.env });
    try {
      const judge = await limited.createAgent("judge");
      await grantOperator(limited, "judge");
      const sender = await limited.createAgent("sender");
      for (let n = 0; n < 65; n++) await sender.post("/wires", { to: "@sender", text: `${n}` });
      const env = { ...fastClockEnv(60), WIREROOM_URL: limited.base, WIREROOM_API_KEY: judge.key };
      const read = runProcess(["operator", "wires", "sender", "--limit", "1", "--all", "--json"], { env });
      const status = async () => (await judge.get("/operator/wires?sender=sender&limit=1")).status;
      await expect.poll(status, { interval: 200, timeout: 10_000 }).toBe(429);
      clock.set(61_000);
      const { code, stdout, stderr } = await read;
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining("rate limited: retrying in"),
      });
      expect(JSON.parse(stdout).wires).toHaveLength(65);
    } finally {
      await limited.stop();
    }
  });
});
