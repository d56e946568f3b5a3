/** Audit log, export, retirement, and acts of operators, through the command. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { momentPast } from "../../cli/input/values.js";
import type { AgentClient } from "../harness/daemon.js";
import { setEgress } from "../harness/egress.js";
import { startFaultProxy } from "../harness/fault-proxy.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { Folder } from "../harness/folder.js";
import { grantOperator } from "../harness/operator.js";
import { Owner } from "../harness/owner.js";
import { KEYS } from "../harness/terminal.js";

const { daemon } = await fileDaemon([], {});
let ada: Owner;
let alice: AgentClient;
const folder = new Folder("wireroom-export-").path;

beforeAll(async () => {
  alice = await daemon.agent("alice", {}, "ada");
  ada = await Owner.of(daemon, "ada");
  await setEgress(alice, { mode: "allowlist" });
});

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("audit", () => {
  it("shows what was done, newest first, and narrowed [C-audit]", async () => {
    const { entries } = await ada.json(["audit", "--since", "1h"]);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      "egress.changed",
      "key.issued",
      "handle.created",
    ]);
    const { stdout } = await ada.run(["audit", "--handle", "@alice", "--action", "egress.changed"]);
    expect(stdout).toMatch(/^\S+\t\S+Z\thuman\talice\tegress.changed\t@alice\tok\t\S+\n$/);
    expect((await ada.json(["audit", "--until", "1h"])).entries).toEqual([]);
    expect((await ada.run(["audit", "--action", "nothing.done"])).code).toBe(2);
    expect((await ada.run(["audit", "--since", "soon"])).code).toBe(2);
    const terminal = ada.terminal(["audit", "--limit", "1"]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toMatch(
      /^when +by +what +handle +on +outcome\n\S.*human +egress.changed +@alice/,
    );
    expect(terminal.history).toContain("wireroom audit --cursor");
  });

  it("takes lengths of time, whole days and date-times [C-audit]", () => {
    expect(momentPast("start")("2026-01-31")).toBe("2026-01-31T00:00:00.000Z");
    expect(momentPast("end")("2026-01-31")).toBe("2026-02-01T00:00:00.000Z");
    expect(momentPast("end")("2026-01-31T12:00:00+02:00")).toBe("2026-01-31T10:00:00.000Z");
    const days = (Date.now() - Date.parse(momentPast("start")("7d"))) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    for (const never of ["", "soon", "2026", "2026-01-31T12:00", "999999y", "-1d"])
      expect(() => momentPast("start")(never), never).toThrow("It must be such as");
  });

  it("is exported as an entry per line [C-audit-export]", async () => {
    const { stdout } = await ada.run(["audit", "--all", "--json", "--limit", "2"]);
    const { body } = await alice.owner.get("/audit");
    expect(linesOf(stdout)).toEqual(body.entries);
    const plain = await ada.run(["audit", "--all"]);
    expect(plain.stdout.trimEnd().split("\n")).toHaveLength(body.entries.length);
  });
});

describe("export", () => {
  it("writes all lines into a file of one's own, and replaces none unasked [C-export] [C-export-file]", async () => {
    const file = join(folder, "all.jsonl");
    const written = await ada.json(["export", file]);
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

  it("goes to standard output, as call does it [C-export] [C-call-lines]", async () => {
    for (const args of [
      ["export", "-"],
      ["call", "account.export"],
    ]) {
      const { code, stdout } = await ada.run(args);
      expect(code).toBe(0);
      expect(linesOf(stdout).at(-1).type).toBe("end");
    }
  });

  it("that is cut short leaves no file, and ends with 8 [C-export-cut]", async () => {
    const proxy = await startFaultProxy(() => daemon.origin);
    proxy.always(({ path }) => (path.endsWith("/export") ? "cut-within" : "pass"));
    const file = join(folder, "cut.jsonl");
    const cut = await ada.run(["export", file, "--json"], { env: { WIREROOM_URL: proxy.base } });
    await proxy.close();
    expect([cut.code, JSON.parse(cut.stderr).code]).toEqual([8, "CONNECTION_FAILED"]);
    expect(readdirSync(folder).filter((name) => name.includes("cut"))).toEqual([]);
  });

  it("that Ctrl-C ends leaves no file [C-export-cut]", async () => {
    const stalled = createServer((_, response) => {
      response.setHeader("content-type", "application/x-ndjson");
      response.write('{"type":"account"}\n');
    });
    await new Promise<void>((resolve) => stalled.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(stalled.address() as AddressInfo).port}/v1`;
    const terminal = ada.terminal(["export", join(folder, "stalled.jsonl")], { env: { WIREROOM_URL: url } });
    const parts = () => readdirSync(folder).filter((name) => name.includes("stalled"));
    while (parts().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    terminal.press(KEYS.interrupt);
    expect(await terminal.ended).toBe(130);
    stalled.closeAllConnections();
    stalled.close();
    expect(parts()).toEqual([]);
  });
});

describe("handle retire", () => {
  it("says what it does, and asks for the name to be typed [C-retire]", async () => {
    await daemon.agent("leaving", {}, "ada");
    await ada.json(["key", "issue", "leaving", "--save"]);
    const unasked = await ada.run(["handle", "retire", "leaving", "--json"]);
    expect([unasked.code, JSON.parse(unasked.stderr).code]).toEqual([10, "NO_TERMINAL"]);
    const wrong = ada.terminal(["handle", "retire", "leaving"], { columns: 130 });
    await wrong.waitFor("Type leaving to go on:");
    expect(wrong.history).toContain("its name is never given out again");
    wrong.press("y\r");
    expect(await wrong.ended).toBe(10);
    const typed = ada.terminal(["handle", "retire", "@leaving"], { columns: 130 });
    await typed.waitFor("Type leaving to go on:");
    typed.press("leaving\r");
    expect(await typed.ended).toBe(0);
    expect(await ada.profile()).toMatchObject({ keys: {} });
    expect((await ada.profile()).handle).toBeUndefined();
    expect((await alice.owner.get("/handles")).body.handles).toHaveLength(1);
  });

  it("takes --yes, and says which spaces come first [C-retire]", async () => {
    const owner = await daemon.agent("landlord", {}, "ada");
    await owner.post("/spaces", { slug: "flat", visibility: "public" });
    const refused = await ada.run(["handle", "retire", "landlord", "--yes"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("flat");
    await daemon.agent("tenant", {}, "ada");
    expect(await ada.json(["handle", "retire", "tenant", "--yes"])).toEqual({
      slug: "tenant",
      retired: true,
    });
  });
});

describe("operator", () => {
  it("suspends, restores and removes with an operator's key [C-operator-acts]", async () => {
    const judge = await daemon.agent("judge");
    const mallory = await daemon.agent("mallory");
    const asJudge = { env: { WIREROOM_API_KEY: judge.key } };
    const refused = await ada.run(["operator", "suspend", "@mallory"], asJudge);
    expect(refused.code).toBe(4);
    await grantOperator(daemon, "@judge");
    const body = { slug: "mallory", suspended: true };
    expect(await ada.json(["operator", "suspend", "@mallory"], asJudge)).toEqual(body);
    expect((await mallory.get("/profile")).status).toBe(403);
    expect((await ada.run(["operator", "restore", "mallory"], asJudge)).stdout).toBe("mallory\n");
    const wire = await mallory.post("/wires", { to: "@judge", text: "spam" });
    const { id } = wire.body;
    expect((await ada.run(["operator", "remove-wire", id], asJudge)).code).toBe(10);
    const removed = await ada.json(["operator", "remove-wire", id, "--yes"], asJudge);
    expect(removed).toMatchObject({ id, tombstone: { removed_by: "operator" } });
  });
});
