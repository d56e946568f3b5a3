import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import type { Body, Client } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

/** Creates a space and posts these texts in order. */
async function createSpaceWithPosts(slug: string, ...texts: string[]): Promise<void> {
  await createSpace(alice, slug);
  for (const text of texts) await sendWire(alice, `#${slug}`, { text });
}

const search = (slug: string, q: string, query = "") =>
  bob.get(`/spaces/${slug}/search?q=${encodeURIComponent(q)}${query}`);
const found = async (slug: string, q: string, query = ""): Promise<string[]> =>
  (await expectOk(search(slug, q, query))).wires.map((wire: Body) => wire.text_body);

/** Searches an agent's direct messages. */
const foundIn = async (agent: Client, q: string): Promise<string[]> =>
  (await expectOk(agent.get(`/wires/search?q=${encodeURIComponent(q)}`))).wires.map(
    (wire: Body) => wire.text_body,
  );

describe("a search in a space", () => {
  // [S4.1-wire-search]
  it("returns wires with the same fields as GET /wires, and next_cursor", async () => {
    await createSpace(alice, "shape", { root_rule: { allow_text: true, votable: true } });
    const sent = await sendWire(alice, "#shape", { text: "a single herring" });
    expect(await expectOk(search("shape", "herring"))).toEqual({
      wires: [await readWire(bob, sent)],
      next_cursor: null,
    });
  });

  // [D5-search-syntax] [S4.1-wire-search-q]
  it.each([
    ["disk full", ["the disk is full", "a full disk, and a warning"]],
    ['"disk full"', []],
    ['"full disk"', ["a full disk, and a warning"]],
    ["disk -warning", ["the disk is full"]],
    ["warning or memory", ["out of memory", "a full disk, and a warning"]],
    ["warning OR memory", ["out of memory", "a full disk, and a warning"]],
    ["full disk or memory", ["out of memory", "the disk is full", "a full disk, and a warning"]],
    ["DISK", ["the disk is full", "a full disk, and a warning"]],
    ["warnings", ["a full disk, and a warning"]],
    ["dis", []],
    ["disk memory", []],
  ])("for %s returns %j", async (q, texts) => {
    await alice.post("/spaces", { slug: "syntax", visibility: "public" });
    const { wires } = await expectOk(alice.get("/spaces/syntax/wires"));
    if (wires.length === 0) {
      for (const text of ["the disk is full", "a full disk, and a warning", "out of memory"]) {
        await sendWire(alice, "#syntax", { text });
      }
    }
    expect((await found("syntax", q)).sort()).toEqual([...texts].sort());
  });

  // [D5-search-stemmed]
  it("matches English word stems: run matches running", async () => {
    await createSpaceWithPosts("stems", "the runner was running", "queries and connections", "a river");
    expect(await found("stems", "runs")).toEqual(["the runner was running"]);
    expect(await found("stems", "connected query")).toEqual(["queries and connections"]);
    expect(await found("stems", "rivers")).toEqual(["a river"]);
  });

  // [D5-search-words]
  it("finds words of any script, and compounds by their parts", async () => {
    await createSpace(alice, "words");
    for (const [text, ...queries] of [
      ["重启服务器失败，请检查磁盘job-4711", "磁盘", "服务器", "查", "job-4711", '"重启服务器失败"'],
      ["サーバーを再起動した", "再起動", "サーバー", "を"],
      ["서버를 재시작했습니다", "재시작", "서버"],
      ["เซิร์ฟเวอร์ล่มแล้ว", "ล่ม"],
      ["API密钥过期，10月更新", "api", "API密钥", "10月"],
      ["ΟΔΟΣ STRASSE", "οδος", "straße"],
      ["re\u0301sume\u0301", "résumé"],
      ["/var/log/backup/nightly.log is empty", "nightly.log", "backup", "/var/log/backup"],
      ["to_json fails in src/store/tokens.ts", "tokens.ts", "src/store/tokens.ts", "to_json", "store"],
      [
        "released v1.2.3-beta to ops@www.example.com",
        "v1.2.3",
        "v1.2.3-beta",
        "example.com",
        "ops@www.example.com",
      ],
    ] as const) {
      await sendWire(alice, "#words", { text });
      for (const q of queries) expect(await found("words", q), q).toEqual([text]);
    }
    for (const q of ["器服", "失败磁盘", "example.org", "from_json", "2.3.1"])
      expect(await found("words", q), q).toEqual([]);
  });

  // [D5-search-payload]
  it("matches strings in payloads at any depth", async () => {
    await createSpace(alice, "payloads");
    const deep = await sendWire(alice, "#payloads", { payload: { a: [{ b: ["an orchid"] }], n: 7 } });
    const plain = await sendWire(alice, "#payloads", { payload: "a tulip" });
    const both = await sendWire(alice, "#payloads", { text: "a rose", payload: ["is a rose", "an orchid"] });
    const ids = async (q: string) =>
      (await expectOk(search("payloads", q))).wires.map(({ id }: Body) => id).sort();
    expect(await ids("orchid")).toEqual([deep.id, both.id].sort());
    expect(await ids("tulip")).toEqual([plain.id]);
    expect(await ids("rose orchid")).toEqual([both.id]);
  });

  // [S4.1-wire-search]
  it("returns replies as well as roots", async () => {
    await createSpaceWithPosts("replies", "a question about sundials");
    const { wires } = await expectOk(bob.get("/spaces/replies/wires"));
    await sendWire(bob, "#replies", { text: "sundials need sun", reply_to: wires[0].id });
    expect(await found("replies", "sundial")).toHaveLength(2);
  });

  // [D5-search-ranked] [S4.1-wire-search]
  it("sorts by relevance, then newest first", async () => {
    const padding = "and many other words that have nothing to do with it at all ".repeat(4);
    await createSpaceWithPosts(
      "ranking",
      `lantern ${padding}`,
      "lantern lantern lantern",
      "no light here",
      "equal lantern",
      "alike lantern",
    );
    const texts = await found("ranking", "lantern");
    expect(texts[0]).toBe("lantern lantern lantern");
    expect(texts.slice(1, 3)).toEqual(["alike lantern", "equal lantern"]);
    expect(texts[3]).toContain("lantern and many");
    expect(texts).toHaveLength(4);
  });

  // [D5-search-pages] [S4.1-wire-search-cursor] [S4.1-wire-search-limit]
  it("returns 50 wires a page, with cursors that start with s:", async () => {
    await createSpace(alice, "pages");
    await Promise.all(
      Array.from({ length: 55 }, (_, n) => sendWire(alice, "#pages", { text: `match ${n}` })),
    );
    const all: string[] = (await expectOk(search("pages", "match", "&limit=100"))).wires.map(
      ({ id }: Body) => id,
    );
    expect(all).toHaveLength(55);
    const first = await expectOk(search("pages", "match"));
    expect(first.wires).toHaveLength(50);
    expect(first.next_cursor).toBe("s:50");
    for (const limit of [7, 11, 55]) {
      const paged = await readAllPages(bob, "/spaces/pages/search?q=match", "wires", limit);
      expect(paged.map(({ id }) => id)).toEqual(all);
    }
    expect(await expectOk(search("pages", "match", "&cursor=s:55"))).toEqual({
      wires: [],
      next_cursor: null,
    });
    for (const limit of ["0", "101", "-1", "1.5", "x"]) {
      await expectRefused(search("pages", "match", `&limit=${limit}`), "VALIDATION_ERROR");
    }
    for (const cursor of ["50", "s:", "s:-1", "s:x", "x:1", "s:1x", ""]) {
      await expectRefused(
        search("pages", "match", `&cursor=${encodeURIComponent(cursor)}`),
        "VALIDATION_ERROR",
      );
    }
    const { next_cursor } = await expectOk(bob.get("/spaces/pages/wires?limit=1"));
    await expectRefused(search("pages", "match", `&cursor=${next_cursor}`), "VALIDATION_ERROR");
  });

  // [S4.1-wire-search-q]
  it("requires q, which may be empty", async () => {
    await createSpaceWithPosts("needs-q", "something");
    await expectRefused(bob.get("/spaces/needs-q/search"), "VALIDATION_ERROR");
    expect(await found("needs-q", "")).toEqual([]);
  });

  // [D5-search-nothing] [D5-search-no-error]
  it.each(["", " ", "the", "the and of", '""', "-", "!&|()<:*", "'", "..."])(
    "without a searchable word, such as %j, returns nothing",
    async (q) => {
      await alice.post("/spaces", { slug: "stop-words", visibility: "public" });
      await sendWire(alice, "#stop-words", { text: "the and of it" });
      expect(await expectOk(search("stop-words", q))).toEqual({ wires: [], next_cursor: null });
    },
  );

  // [D5-search-no-error]
  it("accepts any text", async () => {
    await createSpaceWithPosts("anything", "anything at all");
    const typed = [
      '"',
      '"unclosed phrase',
      "anything AND",
      "NOT anything",
      "NEAR(anything, 2)",
      "anything*",
      "terms : anything",
      "{anything}",
      "^anything",
      "anything; DROP TABLE wires",
      "or or or",
      "-".repeat(99),
      `${"-".repeat(99)}word`,
      "(".repeat(500),
      "\0",
      "a\0b",
      "𝄞 é ß",
      "x".repeat(5_000),
      "a or ".repeat(2_000),
      '"a" '.repeat(1_000),
      "%",
      "_",
      "\\",
    ];
    for (const q of typed) {
      const { status, body } = await search("anything", q);
      expect({ q: q.slice(0, 40), status, body }).toMatchObject({
        status: 200,
        body: { wires: expect.any(Array) },
      });
    }
  });

  // [S4.1-wire-search-one]
  it("returns only wires of its space", async () => {
    await createSpaceWithPosts("here", "a walrus here");
    await createSpaceWithPosts("there", "a walrus there");
    await sendWire(alice, "bob", { text: "a walrus in a DM" });
    expect(await found("here", "walrus")).toEqual(["a walrus here"]);
    expect(await foundIn(alice, "walrus")).toEqual(["a walrus in a DM"]);
  });

  // [S4.1-wire-search-private]
  it("of a private space returns 404 to non-members", async () => {
    await createSpace(alice, "private", { visibility: "private" });
    await sendWire(alice, "#private", { text: "a secret" });
    await expectRefused(search("private", "secret"), "NOT_FOUND");
    await expectRefused(search("no-such-space", "secret"), "NOT_FOUND");
    await expectOk(alice.put("/spaces/private", { members: [{ handle: "bob", role: "reader" }] }));
    expect(await found("private", "secret")).toEqual(["a secret"]);
  });

  // [D5-search-tombstones]
  it("omits removed wires at once", async () => {
    await createSpace(alice, "removed");
    const texts = ["a heron", "another heron"];
    const [first] = await Promise.all(texts.map((text) => sendWire(alice, "#removed", { text })));
    expect(await found("removed", "heron")).toHaveLength(2);
    await expectOk(alice.delete(`/wires/${first.id}`));
    expect(await found("removed", "heron")).toEqual(["another heron"]);
  });

  // [S4.1-wire-search]
  it("returns each wire as soon as it is stored", async () => {
    await createSpace(alice, "at-once");
    const posts = Array.from({ length: 20 }, async (_, n) => {
      await sendWire(alice, "#at-once", { text: `unique${n}` });
      return found("at-once", `unique${n}`);
    });
    expect((await Promise.all(posts)).map((texts) => texts.length)).toEqual(Array(20).fill(1));
  });
});

describe("a search in direct messages", () => {
  // [D5-search-messages] [S4.1-wire-search]
  it("finds what the caller sent or received at once, as a space search does", async () => {
    const payload = { city: "a disk in Oslo" };
    const texts = ["the disk is full", "disk disk disk", "out of memory"];
    for (const text of texts) await sendWire(alice, "bob", { text });
    const sent = await sendWire(bob, "alice", { payload });
    const self = await sendWire(alice, "alice", { text: "note: buy a disk" });
    for (const agent of [alice, bob]) {
      const { wires, next_cursor } = await expectOk(agent.get("/wires/search?q=disks&limit=2"));
      expect(wires[0].text_body).toBe("disk disk disk");
      expect(wires).toHaveLength(2);
      expect(next_cursor).toBe("s:2");
      expect((await foundIn(agent, "oslo -full")).length).toBe(1);
      expect((await foundIn(agent, '"disk is full" or memory')).sort()).toEqual(["out of memory", texts[0]]);
    }
    const all = await readAllPages(alice, "/wires/search?q=disk", "wires", 1);
    expect(all).toHaveLength(4);
    expect(all).toContainEqual(await readWire(alice, sent));
    expect(all.map(({ id }) => id)).toContain(self.id);
    expect(await foundIn(bob, "note")).toEqual([]);
    const brief = await expectOk(bob.get("/wires/search?q=oslo&brief=true"));
    expect(brief.wires).toMatchObject([{ id: sent.id, payload: null, cut: true }]);
    for (const query of ["", "?q=x&limit=0", "?q=x&cursor=50", "?q=x&cursor=s:x"])
      await expectRefused(bob.get(`/wires/search${query}`), "VALIDATION_ERROR");
    for (const q of ["", "the", '"', "a\0b"]) expect(await foundIn(bob, q)).toEqual([]);
  });

  // [D5-search-messages-own] [D5-search-tombstones]
  it("finds no message of others, no removed one and none that was not sent; blocks change nothing", async () => {
    const carol = await daemon.createAgent("carol");
    const dave = await daemon.createAgent("dave");
    const wire = await sendWire(carol, "dave", { text: "a secret heron" });
    const kept = await sendWire(carol, "dave", { text: "another heron" });
    await createSpace(carol, "herons");
    await sendWire(carol, "#herons", { text: "a heron in a space" });
    expect(await foundIn(alice, "secret")).toEqual([]);
    expect(await foundIn(dave, "heron")).toEqual(["another heron", "a secret heron"]);
    await expectOk(carol.delete(`/wires/${wire.id}`));
    await setEgressPolicy(carol, { mode: "approval" });
    const held = await sendHeldWire(carol, "dave", { text: "a held ibis" });
    for (const agent of [carol, dave]) {
      expect(await foundIn(agent, "heron")).toEqual(["another heron"]);
      expect(await foundIn(agent, "ibis")).toEqual([]);
    }
    await decideApproval(carol, held);
    expect(await foundIn(carol, "ibis")).toEqual(["a held ibis"]);
    await expectOk(dave.put("/blocks/carol"));
    await expectOk(carol.owner.delete("/handles/carol"));
    expect(await foundIn(dave, "ibis")).toEqual(["a held ibis"]);
    expect(await foundIn(dave, "heron")).toEqual([(await readWire(dave, kept)).text_body]);
  });

  // [D5-search-messages]
  it("finds each once while several searches index them", async () => {
    const erin = await daemon.createAgent("erin");
    const texts = Array.from({ length: 30 }, (_, n) => `kestrel ${n}`);
    for (const text of texts) {
      await Promise.all([sendWire(erin, "bob", { text }), foundIn(bob, "kestrel"), foundIn(erin, "kestrel")]);
    }
    expect((await foundIn(bob, "kestrel")).sort()).toEqual([...texts].sort());
    // A removal at the time of a search: the index must not get the text back.
    const { wires } = await expectOk(erin.get("/sent"));
    const late = await sendWire(erin, "bob", { text: "kestrel gone" });
    await Promise.all([foundIn(bob, "gone"), erin.delete(`/wires/${late.id}`), foundIn(erin, "gone")]);
    expect(await foundIn(bob, "gone")).toEqual([]);
    expect(wires).toHaveLength(30);
    expect(daemon.log().includes("could not be merged")).toBe(false);
  });
});
