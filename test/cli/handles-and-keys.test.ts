import { beforeAll, describe, expect, it } from "vitest";
import { momentToCome } from "../../cli/input/values.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { Person } from "../harness/person.js";

const { daemon } = await fileDaemon([], {});
let token: string;

beforeAll(async () => {
  token = await daemon.issuer.token({ claims: { sub: "ada", email: "ada@example.com" } });
});

/** Signed in through the environment, with a folder of profiles of their own. */
class Human extends Person {
  override get env() {
    return { ...super.env, WIREROOM_ID_TOKEN: token };
  }
}

const human = () => new Human(() => daemon);

describe("handle", () => {
  it("creates a handle with all its fields [C-handle-create]", async () => {
    const fields = ["--display-name", "Quotes", "--bio", "Prices.", "--tag", "prices", "--tag", "spot"];
    const rules = ["--contact-policy", "contacts_only", "--no-discoverable", "--inbox-rule", "-"];
    const rule = { allow_text: false, votable: true };
    const body = await human().json(["handle", "create", "@quotes", ...fields, ...rules], {
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

  it("says what is wrong with a name, and exits with 2 [C-handle-create]", async () => {
    const { code, stderr } = await human().run(["handle", "create", "Not a name"]);
    expect(code).toBe(2);
    expect(stderr).toContain("/slug");
  });

  it("lists and shows one's own alone [C-handle-list]", async () => {
    const ada = human();
    await daemon.agent("stranger");
    const made = await ada.json(["handle", "create", "listed"]);
    const { handles } = await ada.json(["handle", "list"]);
    expect(handles).toContainEqual(made);
    expect(JSON.stringify(handles)).not.toContain("stranger");
    expect((await ada.run(["handle", "list"])).stdout).toContain("@listed\t-\topen\tno\t");
    expect(await ada.json(["handle", "show", "@listed"])).toEqual(made);
    expect((await ada.run(["handle", "show", "listed"])).stdout).toContain("handle\t@listed\n");
    const missing = await ada.run(["handle", "show", "stranger", "--json"]);
    expect(missing.code).toBe(5);
    expect(JSON.parse(missing.stderr).code).toBe("NOT_FOUND");
  });

  it("sets the handle that acts [C-handle-use]", async () => {
    const ada = human();
    for (const slug of ["first", "second"]) {
      await ada.json(["handle", "create", slug]);
      await ada.json(["key", "issue", slug, "--save"]);
    }
    const acting = async (...flags: string[]) => (await ada.json(["whoami", ...flags])).handle.slug;
    expect(await acting()).toBe("first");
    expect(await acting("--as", "@second")).toBe("second");
    expect(await ada.json(["handle", "use", "@second"])).toEqual({ handle: "second" });
    expect(await acting()).toBe("second");
    expect((await ada.run(["handle", "use", "third"])).code).toBe(3);
  });
});

describe("key", () => {
  it("is shown this once: alone in a pipe, with a line to copy on a terminal [C-key-issue]", async () => {
    const ada = human();
    await ada.json(["handle", "create", "shown"]);
    const { stdout } = await ada.run(["key", "issue", "shown"]);
    expect(stdout).toMatch(/^wr_[0-9A-Za-z]{43}\n$/);
    const { status } = await daemon.client(stdout.trim()).get("/profile");
    expect(status).toBe(200);
    const terminal = ada.terminal(["key", "issue", "shown"]);
    expect(await terminal.ended).toBe(0);
    expect(await terminal.waitFor("export WIREROOM_API_KEY=wr_")).toContain("shown this once");
    expect(await ada.json(["key", "issue", "shown"])).toEqual({
      id: expect.any(String),
      key: expect.stringMatching(/^wr_/),
      prefix: expect.stringMatching(/^wr_/),
    });
    expect((await ada.run(["key", "issue", "nobody-else"])).code).toBe(5);
  });

  it("is kept with --save, and not printed unless asked for [C-key-save]", async () => {
    const ada = human();
    await ada.json(["handle", "create", "kept"]);
    const issued = await ada.json(["key", "issue", "kept", "--save"]);
    expect(issued).toEqual({ id: expect.any(String), prefix: expect.stringMatching(/^wr_/) });
    const { keys, handle, url } = await ada.profile();
    expect({ handle, url }).toEqual({ handle: "kept", url: daemon.base });
    expect(keys.kept.startsWith(issued.prefix)).toBe(true);
    expect((await ada.json(["limits"], { env: { WIREROOM_ID_TOKEN: undefined } })).limits).not.toHaveLength(
      0,
    );
    const shown = await ada.json(["key", "issue", "kept", "--save", "--show"]);
    expect((await ada.profile()).keys.kept).toBe(shown.key);
    const terminal = ada.terminal(["key", "issue", "kept", "--save"]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.history).toContain("is kept in the profile default");
    expect(terminal.history).toContain("wireroom send @kept hello\n  wireroom inbox\n");
    expect(terminal.history).toContain("export WIREROOM_API_KEY=$(wireroom key issue kept)");
    await ada.json(["handle", "create", "kept-too"]);
    const second = ada.terminal(["key", "issue", "kept-too", "--save"]);
    expect(await second.ended).toBe(0);
    expect(second.history).toContain("wireroom inbox --as kept-too\n");
    expect(terminal.written).not.toContain((await ada.profile()).keys.kept);
  });

  it("ends when it is told to [C-key-expires]", async () => {
    const ada = human();
    await ada.json(["handle", "create", "ending"]);
    const { id } = await ada.json(["key", "issue", "ending", "--expires", "30d"]);
    const { keys } = await ada.json(["key", "list"]);
    const end = Date.parse(keys.find((key: { id: string }) => key.id === id).expires_at);
    expect(Math.round((end - Date.now()) / 86_400_000)).toBe(30);
    expect((await ada.run(["key", "issue", "ending", "--expires", "soon"])).code).toBe(2);
  });

  it("takes lengths of time, days and date-times to come [C-key-expires]", () => {
    expect(momentToCome("2900-01-31")).toBe("2900-01-31T23:59:59.999Z");
    expect(momentToCome("2900-01-31T12:00:00+02:00")).toBe("2900-01-31T10:00:00.000Z");
    const hours = (Date.parse(momentToCome("12h")) - Date.now()) / 3_600_000;
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
    ])
      expect(() => momentToCome(never), never).toThrow("It must be to come");
  });

  it("is listed with handle and state, never itself [C-key-list]", async () => {
    const ada = human();
    await ada.json(["handle", "create", "counted"]);
    const { key, prefix } = await ada.json(["key", "issue", "counted"]);
    const { stdout } = await ada.run(["key", "list"]);
    expect(stdout).toContain(`${prefix}\t@counted\tvalid\t`);
    expect(stdout).not.toContain(key);
    expect(JSON.stringify(await ada.json(["key", "list"]))).not.toContain(key);
  });

  it("is revoked after a yes alone, and forgotten [C-key-revoke] [C-ask-pipe]", async () => {
    const ada = human();
    await ada.json(["handle", "create", "ended"]);
    const { id, prefix } = await ada.json(["key", "issue", "ended", "--save"]);
    const unasked = await ada.run(["key", "revoke", id, "--json"]);
    expect(unasked.code).toBe(10);
    expect(JSON.parse(unasked.stderr).code).toBe("NO_TERMINAL");
    const refused = ada.terminal(["key", "revoke", prefix]);
    await refused.waitFor(`Revoke ${prefix} of @ended?`);
    refused.press("n\r");
    expect(await refused.ended).toBe(10);
    expect((await ada.run(["limits"])).code).toBe(0);
    const agreed = ada.terminal(["key", "revoke", prefix]);
    await agreed.waitFor("[y/N]");
    agreed.press("y\r");
    expect(await agreed.ended).toBe(0);
    expect((await ada.profile()).keys).toEqual({});
    expect(await ada.json(["key", "revoke", id, "--yes"])).toEqual({ id, revoked: true });
    expect((await ada.run(["key", "revoke", "wr_nothing", "--yes"])).code).toBe(5);
  });
});
