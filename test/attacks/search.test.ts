/** Searches that try to exhaust the service, and searches with more matches than are ranked. */
import { beforeAll, describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { jsonRpcToolCaller, postToMcp } from "../harness/mcp.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
/**
 * Longer than any of these requests needs on a busy machine, and much shorter than they took without limits.
 */
const SOON_MS = 10_000;

const search = (slug: string, q: string, query = "") =>
  bob.get(`/spaces/${slug}/search?q=${encodeURIComponent(q)}${query}`);
const texts = (body: Body): string[] => body.wires.map(({ text_body }: Body) => text_body);

/** Batches of MCP hold at most 20 calls. They are faster than so many requests. */
const inBatches = (items: string[]): string[][] =>
  Array.from({ length: Math.ceil(items.length / 20) }, (_, n) => items.slice(n * 20, n * 20 + 20));

/** Sends wires of alice in one MCP batch. Returns their ids. */
async function sendTexts(to: string, wires: string[]): Promise<string[]> {
  const calls = wires.map((text, id) => ({
    ...{ jsonrpc: "2.0", id, method: "tools/call" },
    params: { name: "send_wire", arguments: { to, text } },
  }));
  const { body } = await postToMcp(daemon, alice.key, calls);
  return body.map(({ result }: Body) => {
    expect(result).toMatchObject({ structuredContent: { id: expect.any(String) } });
    return result.structuredContent.id;
  });
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

describe("a search with more than 2,000 matches", () => {
  const COUNT = 2_150;
  let ids: string[];
  let best: string;

  beforeAll(async () => {
    await createSpace(alice, "crowded");
    best = (await sendWire(alice, "#crowded", { text: "hello hello hello" })).id;
    const texts = Array.from({ length: COUNT - 1 }, (_, n) =>
      n % 2 === 0 ? `hello, wire ${n} says` : `hello of the wire ${n}`,
    );
    const rest = await mapConcurrently(inBatches(texts), (batch) => sendTexts("#crowded", batch), 4);
    ids = [best, ...rest.flat()];
  });

  // [D5-search-all] [D5-search-pages]
  it("returns every match exactly once, ranked ones first and then the older ones by time", async () => {
    const found = await readAllPages(bob, "/spaces/crowded/search?q=hello", "wires", 100);
    expect(found).toHaveLength(COUNT);
    expect(found.map(({ id }) => id as string).sort()).toEqual([...ids].sort());
    const feed = await readAllPages(bob, "/spaces/crowded/wires", "wires", 100);
    const newestFirst = feed.map(({ id }) => id as string);
    expect(found.slice(2_000).map(({ id }) => id)).toEqual(newestFirst.slice(2_000));
    expect(found.at(-1)!.id).toBe(best);
  });

  // [D5-search-pages]
  it("has pages across the boundary that equal the whole", async () => {
    const { wires } = await expectOk(search("crowded", "hello", "&limit=100&cursor=s:1950"));
    for (const [offset, limit] of [
      [1_990, 20],
      [1_999, 1],
      [2_000, 5],
      [1_995, 5],
    ] as const) {
      const page = await expectOk(search("crowded", "hello", `&limit=${limit}&cursor=s:${offset}`));
      expect(page).toEqual({
        wires: wires.slice(offset - 1_950, offset - 1_950 + limit),
        next_cursor: `s:${offset + limit}`,
      });
    }
    expect(await expectOk(search("crowded", "hello", "&cursor=s:2150"))).toEqual({
      wires: [],
      next_cursor: null,
    });
    expect(await expectOk(search("crowded", "hello", "&cursor=s:999999999"))).toEqual({
      wires: [],
      next_cursor: null,
    });
  });

  // [D5-search-all]
  it.each([
    ['"hello of the wire"', 1_074],
    ['"wire says"', 0],
    ["hello -of", COUNT],
    ['hello -"hello of the wire"', COUNT - 1_074],
    ['"hello hello hello" or "wire 7"', 2],
  ])("is complete for %s too, where pages may be short", async (q, count) => {
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Body = await expectOk(search("crowded", q, `&limit=100${cursor && `&cursor=${cursor}`}`));
      expect(page.wires.length).toBeLessThanOrEqual(100);
      found.push(...page.wires.map(({ id }: Body) => id));
      cursor = page.next_cursor;
    }
    expect(found).toHaveLength(count);
    expect(new Set(found).size).toBe(count);
  });
});

describe("a search with a hostile query", () => {
  const REPEATED = `"${"foo the bar the ".repeat(140)}"`;

  beforeAll(async () => {
    await createSpace(alice, "repeated");
    await mapConcurrently(
      Array.from({ length: 200 }, (_, n) => n),
      (n) => sendWire(alice, "#repeated", { text: `${"foo the bar the ".repeat(500)}${n}` }),
      32,
    );
  });

  // [D5-search-cost]
  it("of repeated stop words delays neither itself nor others", async () => {
    const spent = await elapsedMs(() =>
      Promise.all([
        ...[REPEATED, `-${REPEATED}`, REPEATED.replaceAll('"', ""), `${REPEATED} or ${REPEATED}`].map((q) =>
          expectOk(search("repeated", q)),
        ),
        ...Array.from({ length: 20 }, () => expectOk(alice.get("/inbox"))),
      ]),
    );
    expect(spent).toBeLessThan(SOON_MS);
  });

  // [D5-search-terms]
  it("uses the first 32 words, and ignores stop words, repetitions and the rest", async () => {
    await createSpace(alice, "words");
    const words = Array.from({ length: 40 }, (_, n) => `word${n}`);
    await sendWire(alice, "#words", { text: words.slice(0, 32).join(" ") });
    await sendWire(alice, "#words", { text: words.slice(0, 31).join(" ") });
    for (const q of [
      words.join(" "),
      `"${words.join(" ")}"`,
      words.map((word) => `the ${word} of`).join(" "),
      words.map((word) => `${words[0]} ${word}`).join(" "),
      `${words.slice(0, 32).join(" ")} -word0`,
    ]) {
      expect({ q, texts: texts(await expectOk(search("words", q))) }).toEqual({
        q,
        texts: [words.slice(0, 32).join(" ")],
      });
    }
    await createSpace(alice, "word33");
    await sendWire(alice, "#word33", { text: words[32] });
    expect(texts(await expectOk(search("word33", words.join(" or "))))).toEqual([]);
    expect(texts(await expectOk(search("word33", words.slice(8).join(" or "))))).toEqual([words[32]]);
  });

  // [D5-switchboard-words]
  it("finds the entries of the switchboard by the first 32 words", async () => {
    const words = Array.from({ length: 40 }, (_, n) => `term${n}`);
    const owner = await daemon.createAgent("wordy", {
      discoverable: true,
      bio: words.slice(0, 32).join(" "),
    });
    const slugs = async (q: string) =>
      (await expectOk(bob.get(`/search?type=handles&q=${encodeURIComponent(q)}`))).map(
        ({ slug }: Body) => slug,
      );
    expect(await slugs(words.join(" "))).toEqual([owner.slug]);
    expect(await slugs(words.slice(0, 33).reverse().join(" "))).toEqual([]);
  });

  // [D2-bounded]
  it.each(["search_wires", "search"])(
    "of 200,000 words is refused by the tool %s, like any text above the bound",
    async (tool) => {
      const q = Array.from({ length: 40_000 }, (_, n) => `w${n}`)
        .join(" ")
        .slice(0, 200_000);
      const input = tool === "search" ? { type: "handles", q } : { slug: "words", q };
      const { isError, body } = await jsonRpcToolCaller(daemon, bob).call(tool, input);
      expect({ isError, body }).toMatchObject({
        isError: true,
        body: { code: "VALIDATION_ERROR", errors: [{ instancePath: "/q" }] },
      });
    },
  );
});

describe("the tags of a search", () => {
  const list = (count: number) => Array.from({ length: count }, (_, n) => `tag${n}`).join(",");

  // [D5-switchboard-tags] [D2-bounded]
  it("are at most 20, on REST and MCP", async () => {
    for (const count of [21, 984, 1_500]) {
      const { errors } = await expectRefused(
        bob.get(`/search?type=handles&tags=${list(count)}`),
        "VALIDATION_ERROR",
      );
      expect(errors[0].instancePath).toBe("/tags");
      const repeated = list(count)
        .split(",")
        .map((tag) => `&tags=${tag}`)
        .join("");
      await expectRefused(bob.get(`/search?type=spaces${repeated}`), "VALIDATION_ERROR");
      const call = await jsonRpcToolCaller(daemon, bob).call("search", {
        type: "handles",
        tags: list(count),
      });
      expect(call.body).toMatchObject({ code: "VALIDATION_ERROR" });
    }
    for (const type of ["handles", "spaces", "schemas"])
      expect(await expectOk(bob.get(`/search?type=${type}&tags=${list(20)}`))).toEqual(
        type === "schemas" ? expect.any(Array) : [],
      );
  });

  // [D5-switchboard-tags]
  it("must all be present, in any order and number", async () => {
    await daemon.createAgent("tagged", { discoverable: true, tags: ["red", "green", "a b"] });
    const slugs = async (tags: string) =>
      (await expectOk(bob.get(`/search?type=handles&tags=${encodeURIComponent(tags)}`))).map(
        ({ slug }: Body) => slug,
      );
    for (const tags of ["red", "green,red", "red,red,red", " red , a b ,,", "red,green,a b"])
      expect(await slugs(tags)).toEqual(["tagged"]);
    for (const tags of ["blue", "red,blue", "Red", "a", "re"]) expect(await slugs(tags)).toEqual([]);
  });

  // [D5-search-cost]
  it("in 16 parallel searches delay no other request", async () => {
    const spent = await elapsedMs(() =>
      Promise.all([
        ...Array.from({ length: 16 }, () => bob.get(`/search?type=handles&tags=${list(900)}`)),
        ...Array.from({ length: 20 }, () => expectOk(alice.get("/inbox"))),
      ]),
    );
    expect(spent).toBeLessThan(SOON_MS);
  });
});
