import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseFutureTime } from "../../cli/input/values.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { Human } from "../harness/human.js";

const { daemon } = await hostedFixture([], {});
let token: string;

beforeAll(async () => {
  token = await daemon.issuer.token({ claims: { sub: "ada", email: "ada@example.com" } });
});

/** A human who is signed in by an environment variable, with an own folder of profiles. */
class HumanWithToken extends Human {
  override get env() {
    return { ...super.env, WIREROOM_ID_TOKEN: token };
  }
}

/** A human who is signed in in the default profile, which alone names the daemon. */
class HumanWithProfile extends Human {
  override get env() {
    return { ...super.env, WIREROOM_URL: undefined };
  }

  async signIn(): Promise<void> {
    const signIn = { email: "ada@example.com", issuer: daemon.issuer.url, clientId: "cli", idToken: token };
    await mkdir(dirname(this.profilePath()), { recursive: true });
    await writeFile(this.profilePath(), JSON.stringify({ url: daemon.base, signIn }));
  }
}

const human = () => new HumanWithToken(() => daemon);

describe("wireroom handle", () => {
  it("suggests a wire from the active handle to a second one", async () => {
    const ada = new HumanWithProfile(() => daemon);
    await ada.signIn();
    const stepsOf = async (slug: string) => {
      const terminal = ada.openTerminal(["handle", "create", slug]);
      expect(await terminal.exitCode).toBe(0);
      return terminal.history;
    };
    expect(await stepsOf("first-one")).toMatch(/wireroom send @first-one hello$/m);
    const second = await stepsOf("second-one");
    expect(second).toMatch(/wireroom send @second-one hello$/m);
    expect(second).toMatch(/wireroom inbox --as @second-one$/m);
  });

  // [C-handle-create]
  it("creates a handle with all its fields", async () => {
    const fields = ["--display-name", "Quotes", "--bio", "Prices.", "--tag", "prices", "--tag", "spot"];
    const rules = ["--contact-policy", "contacts_only", "--no-discoverable", "--inbox-rule", "-"];
    const rule = { allow_text: false, votable: true };
    const body = await human().runJson(["handle", "create", "@quotes", ...fields, ...rules], {
      input: JSON.stringify(rule),
    });
    expect(body).toMatchObject({
      slug: "quotes",
      display_name: "Quotes",
      bio: "Prices.",
      tags: ["prices", "spot"],
      contact_policy: "contacts_only",
      discoverable: false,
      inbox_rule: rule,
    });
  });

  // [C-handle-create]
  it("reports an invalid name, and exits with 2", async () => {
    const { code, stderr } = await human().run(["handle", "create", "Not a name"]);
    expect(code).toBe(2);
    expect(stderr).toContain("error name: must be 3 to 32 lower-case letters");
  });

  // [C-handle-list]
  it("lists and shows only handles of the account", async () => {
    const ada = human();
    await daemon.createAgent("stranger");
    const made = await ada.runJson(["handle", "create", "listed"]);
    const { handles } = await ada.runJson(["handle", "list"]);
    expect(handles).toContainEqual(made);
    expect(JSON.stringify(handles)).not.toContain("stranger");
    expect((await ada.run(["handle", "list"])).stdout).toContain("@listed\t-\topen\tno\t");
    expect(await ada.runJson(["handle", "show", "@listed"])).toEqual(made);
    expect((await ada.run(["handle", "show", "listed"])).stdout).toContain("handle\t@listed\n");
    const missing = await ada.run(["handle", "show", "stranger", "--json"]);
    expect(missing.code).toBe(5);
    expect(JSON.parse(missing.stderr).code).toBe("NOT_FOUND");
    const hints = async (name: string) => (await ada.run(["handle", "show", name])).stderr;
    expect(await hints("stranger")).toContain("wireroom handle create stranger");
    for (const name of ["@w2", "@my-wireroom"]) expect(await hints(name)).not.toContain("handle create");
  });

  // [C-handle-use]
  it("sets the handle that commands act as", async () => {
    const ada = human();
    for (const slug of ["first", "second"]) {
      await ada.runJson(["handle", "create", slug]);
      await ada.runJson(["key", "issue", slug, "--save"]);
    }
    const actAs = async (...flags: string[]) => (await ada.runJson(["whoami", ...flags])).handle.slug;
    expect(await actAs()).toBe("first");
    expect((await ada.run(["whoami"])).stdout).not.toContain("keys of programs");
    expect(await actAs("--as", "@second")).toBe("second");
    expect(await ada.runJson(["handle", "use", "@second"])).toEqual({ handle: "second" });
    expect(await actAs()).toBe("second");
    const byVariable = { env: { WIREROOM_HANDLE: "first" } };
    const { stderr } = await ada.run(["handle", "use", "second"], byVariable);
    expect(stderr).toContain("WIREROOM_HANDLE is set and overrides the profile");
    const { key } = await ada.runJson(["key", "issue", "first"]);
    const byKey = await ada.run(["whoami"], { env: { WIREROOM_API_KEY: key } });
    expect(byKey.stderr).toContain("WIREROOM_API_KEY is set and overrides the profile");
    expect((await ada.run(["handle", "use", "third"])).code).toBe(5);
    const signedOut = { env: { WIREROOM_ID_TOKEN: "" } };
    expect((await ada.run(["handle", "use", "third"], signedOut)).code).toBe(3);
  });
});

describe("wireroom key", () => {
  // [C-key-issue]
  it("prints the key once: only the key in a pipe, with a copyable line on a terminal", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "shown"]);
    const { stdout } = await ada.run(["key", "issue", "shown"]);
    expect(stdout).toMatch(/^wr_[0-9A-Za-z]{43}\n$/);
    const { status } = await daemon.client(stdout.trim()).get("/profile");
    expect(status).toBe(200);
    const terminal = ada.openTerminal(["key", "issue", "shown"]);
    expect(await terminal.exitCode).toBe(0);
    expect(await terminal.waitFor("export WIREROOM_API_KEY=wr_")).toContain("shown only once");
    expect(await ada.runJson(["key", "issue", "shown"])).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^wr_/),
      prefix: expect.stringMatching(/^wr_/),
    });
    expect((await ada.run(["key", "issue", "nobody-else"])).code).toBe(5);
  });

  // [C-key-issue]
  it("revokes a key that it cannot print, unless the key is saved", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "unseen"]);
    const { id } = (await ada.runJson(["handle", "show", "unseen"])) as { id: string };
    const states = async () =>
      (await ada.runJson(["key", "list"])).keys
        .filter((key: { handle_id: string }) => key.handle_id === id)
        .map((key: { revoked_at: string | null }) => key.revoked_at !== null);
    const { code, stderr } = await ada.run(["key", "issue", "unseen", "--jq", ".key.x"]);
    expect([code, await states()]).toEqual([2, [true]]);
    expect(stderr).toContain("the key was revoked, because it cannot be shown: --jq fails");
    expect(stderr).not.toContain("has succeeded");
    expect((await ada.run(["key", "issue", "unseen", "--save", "--jq", ".id.x"])).code).toBe(2);
    expect(await states()).toContain(false);
  });

  // [C-key-save]
  it("stores the key with --save, and does not print it", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "kept"]);
    const issued = await ada.runJson(["key", "issue", "kept", "--save"]);
    expect(issued).toEqual({ id: expect.any(String), prefix: expect.stringMatching(/^wr_/) });
    const { keys, handle, url } = await ada.readProfile();
    expect({ handle, url }).toEqual({ handle: "kept", url: daemon.base });
    expect(keys.kept.startsWith(issued.prefix)).toBe(true);
    const limits = await ada.run(["limits"], { env: { WIREROOM_ID_TOKEN: undefined } });
    expect(limits.stdout).toContain("wires_per_minute\t60\t60\t1 min\t-\n");
    const terminal = ada.openTerminal(["key", "issue", "kept", "--save"]);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.history).toContain("in the profile default");
    expect(terminal.history).toContain("Next steps:\n  wireroom inbox\n");
    expect(terminal.history).toContain(`export WIREROOM_URL=${daemon.base}`);
    expect(terminal.history).toContain("export WIREROOM_API_KEY=$(wireroom key issue @kept)");
    await ada.runJson(["handle", "create", "kept-too"]);
    const second = ada.openTerminal(["key", "issue", "kept-too", "--save"]);
    expect(await second.exitCode).toBe(0);
    expect(second.history).toContain("wireroom inbox --as @kept-too\n");
    expect(terminal.written).not.toContain((await ada.readProfile()).keys.kept);
  });

  // [C-key-save]
  it("makes the profile that --profile names, with the sign-in of the usual one", async () => {
    const ada = new HumanWithProfile(() => daemon);
    await ada.signIn();
    await ada.runJson(["handle", "create", "separate"]);
    const elsewhere = ["--profile", "separate"];
    const issued = await ada.runJson(["key", "issue", "separate", "--save", ...elsewhere]);
    const profile = await ada.readProfile("separate");
    expect(profile).toEqual({
      url: daemon.base,
      handle: "separate",
      keys: { separate: expect.stringContaining(issued.prefix) },
    });
    expect((await ada.readProfile()).keys).toBeUndefined();
    expect((await ada.runJson(["whoami", ...elsewhere])).handle.slug).toBe("separate");
    expect((await ada.run(["key", "issue", "separate", ...elsewhere])).stdout).toMatch(/^wr_/);
    // The sign-in is not used at another daemon, and no other command borrows it.
    const other = await ada.run(["key", "issue", "separate", ...elsewhere, "--url", "http://127.0.0.1:1"]);
    expect(other.code).toBe(3);
    await mkdir(dirname(ada.profilePath("remote")), { recursive: true });
    await writeFile(ada.profilePath("remote"), JSON.stringify({ url: "http://127.0.0.1:1/v1" }));
    expect((await ada.run(["key", "issue", "separate", "--save", "--profile", "remote"])).code).toBe(3);
    expect((await ada.run(["key", "list", ...elsewhere])).code).toBe(3);
  });

  // [C-json-fields]
  it("issues no key if --json names a field that the result does not have", async () => {
    const ada = human();
    const { id } = await ada.runJson(["handle", "create", "unshown"]);
    for (const args of [
      ["key", "issue", "unshown", "--json=expires_at"],
      ["key", "issue", "unshown", "--save", "--json=key"],
      ["call", "keys.issue", "--handle-id", id, "--json=expires_at"],
    ]) {
      const { code, stderr } = await ada.run(args);
      expect(code, args.join(" ")).toBe(2);
      expect(stderr).toContain("the result has no field");
    }
    const { keys } = await ada.runJson(["key", "list"]);
    expect(keys.filter((key: { handle_id: string }) => key.handle_id === id)).toEqual([]);
    expect(keys).not.toEqual([]);
    expect((await ada.runJson(["key", "list", "@unshown"])).keys).toEqual([]);
    expect((await ada.run(["key", "list", "@nobody"])).stderr).toContain("you have no handle @nobody");
    const { stdout } = await ada.run(["key", "issue", "unshown", "--json=key"]);
    expect(JSON.parse(stdout)).toEqual({ key: expect.stringMatching(/^wr_/) });
  });

  // [C-key-name]
  it("names a key, and asks by this name before it revokes the key", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "christened"]);
    const { id, prefix } = await ada.runJson(["key", "issue", "christened", "--name", "nightly build"]);
    expect((await ada.run(["key", "list", "@christened"])).stdout).toContain(`\tnightly build\t${id}\n`);
    const asked = ada.openTerminal(["key", "revoke", prefix], { columns: 130 });
    await asked.waitFor(`Revoke the key ${prefix} (nightly build) of @christened?`);
    asked.press("n\r");
    expect(await asked.exitCode).toBe(10);
  });

  // [C-key-expires]
  it("issues a key that expires", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "ending"]);
    const { id } = await ada.runJson(["key", "issue", "ending", "--expires", "30d"]);
    const { keys } = await ada.runJson(["key", "list"]);
    const end = Date.parse(keys.find((key: { id: string }) => key.id === id).expires_at);
    expect(Math.round((end - Date.now()) / 86_400_000)).toBe(30);
    expect((await ada.run(["key", "issue", "ending", "--expires", "soon"])).code).toBe(2);
  });

  // [C-key-expires]
  it("accepts durations, dates and date-times in the future", () => {
    expect(parseFutureTime("2900-01-31")).toBe("2900-01-31T23:59:59.999Z");
    expect(parseFutureTime("2900-01-31T12:00:00+02:00")).toBe("2900-01-31T10:00:00.000Z");
    const hours = (Date.parse(parseFutureTime("12h")) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(12);
    for (const never of [
      "",
      "2001-01-01",
      "soon",
      "0d",
      "-1d",
      "999999y",
      "2900-02-31x",
      "2900",
      "2900-01-31T12:00",
      "2900-02-30",
      "2900-02-31T12:00:00Z",
    ])
      expect(() => parseFutureTime(never), never).toThrow("Expected a time in the future");
  });

  // [C-key-list]
  it("lists keys by handle and state, without the keys themselves", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "counted"]);
    const { key, prefix } = await ada.runJson(["key", "issue", "counted"]);
    const { stdout } = await ada.run(["key", "list"]);
    expect(stdout).toContain(`${prefix}\t@counted\tvalid\t`);
    expect(stdout).not.toContain(key);
    expect(JSON.stringify(await ada.runJson(["key", "list"]))).not.toContain(key);
  });

  // [C-key-revoke] [C-ask-pipe]
  it("revokes a key only after confirmation, and removes it from the profile", async () => {
    const ada = human();
    await ada.runJson(["handle", "create", "ended"]);
    const { id, prefix } = await ada.runJson(["key", "issue", "ended", "--save"]);
    const unasked = await ada.run(["key", "revoke", id, "--json"]);
    expect(unasked.code).toBe(10);
    expect(JSON.parse(unasked.stderr).code).toBe("NO_TERMINAL");
    const refused = ada.openTerminal(["key", "revoke", prefix]);
    await refused.waitFor(`Revoke the key ${prefix} of @ended?`);
    refused.press("n\r");
    expect(await refused.exitCode).toBe(10);
    expect((await ada.run(["limits"])).code).toBe(0);
    const agreed = ada.openTerminal(["key", "revoke", prefix]);
    await agreed.waitFor("[y/N]");
    agreed.press("y\r");
    expect(await agreed.exitCode).toBe(0);
    expect((await ada.readProfile()).keys).toEqual({});
    expect(await ada.runJson(["key", "revoke", `${id.slice(0, -1)}…`, "--yes"])).toEqual({
      id,
      revoked: true,
    });
    expect((await ada.run(["key", "revoke", "wr_nothing", "--yes"])).code).toBe(5);
  });
});
