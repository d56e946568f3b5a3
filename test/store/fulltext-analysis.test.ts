import fc from "fast-check";
import { stem } from "porter2";
import { describe, expect, it } from "vitest";
import { analyse, TextAnalysis, termsByPosition } from "../../src/store/fulltext/analyse.js";
import { termsOf } from "../../src/store/fulltext/fts5.js";
import { MAX_SEARCHABLE_LENGTH, searchableText } from "../../src/store/fulltext/searchable-text.js";
import { analyseInTurns } from "../../src/store/fulltext/text-turns.js";
import { Tokeniser } from "../../src/store/fulltext/tokens.js";

/** Returns the terms of a text, with their positions if these are not 1, 2, 3 and so on. */
function terms(text: string): string {
  return analyse(text)
    .map(({ term, position }, i) => (position === i + 1 ? term : `${term}@${position}`))
    .join(" ");
}

// The expected values are the results of to_tsvector('english', …) in PostgreSQL 15.
describe("the analysis of a text", () => {
  it.each([
    ["words, stemmed", "Deployments were running", "deploy run@3"],
    ["gaps where stop words are", "The cat in the hat", "cat@2 hat@5"],
    ["words of any script", "日本 ПРИВЕТ Ünï café", "日本 привет ünï café"],
    ["one lower-case letter for one capital", "ΟΔΟΣ İx", "οδοσ ix"],
    ["accents that combine", "cafe\u0301 \u0301x", "cafe\u0301 x"],
    ["apostrophes as blanks", "agent's don't", "agent"],
    [
      "compounds, whole and in parts",
      "multi-agent foxes-jumping",
      "multi-ag multi agent foxes-jump fox jump",
    ],
    ["compounds with digits", "x86-64bit covid-19 1-b", "x86-64bit x86 64bit covid -19 1 b"],
    ["compounds of stop words", "not-the", "not-th"],
    ["an underscore as a blank", "snake_case_name x86_64", "snake case name x86 64"],
    ["numbers", "42 -5 +7.5 1.5e-7 1E02 007", "42 -5 +7.5 1.5e-7 1e02 007"],
    ["versions", "4.2.1 v20.20.2 -1.2.3", "4.2.1 v20.20.2 1.2.3"],
    ["times", "2024-01-02T10:00:00Z", "2024 -01 -02 t10 00 00z"],
    ["hosts", "example.com node.js foo_bar.com a.io:80 x.c", "example.com node.js foo_bar.com a.io:80 x.c"],
    ["a host without what ends it", "foo.com. foo.com-bar", "foo.com foo.com bar"],
    [
      "e-mail addresses",
      "Ops@Example.com x.y_z@a.io 1@foo.com @foo",
      "ops@example.com x.y_z@a.io 1@foo.com foo",
    ],
    ["URLs, their hosts and paths", "https://a.com/x?y=1,2 a.io/", "a.com/x?y=1,2 a.com /x?y=1,2 a.io"],
    ["paths", "/var/log/x.1 ./a ../b ~/c a/b 1/2", "/var/log/x.1 /a /b /c a/b 1/2"],
    ["no tags, entities or comments", '<b id="x y">fat</b> &amp; <!-- no --> cat', "fat cat"],
    ["no scripts", "a1 <script>alert(1)</script> b1 <STYLE >c1</STYLE>", "a1 b1"],
    ["what only looks like a tag", "1 < 2 <3 b<c (x", "1 2 3 b c x"],
  ])("returns %s", (_, text, expected) => expect(terms(text)).toBe(expected));

  it("omits tokens longer than 2,046 bytes, and does not stem words longer than 1,000", () => {
    expect(terms("a".repeat(2047))).toBe("");
    expect(terms("é".repeat(1023))).toBe("é".repeat(1023));
    expect(terms(`${"x".repeat(997)}ing`)).toBe(`${"x".repeat(997)}ing`);
    expect(terms(`a${"x".repeat(996)}ing`)).toBe(`a${"x".repeat(996)}`);
    expect(terms(`a${"x".repeat(997)}ing`)).toBe(`a${"x".repeat(997)}ing`);
  });

  it("runs in steps of few words, with the same terms", () => {
    const stepsOf = (text: string) => {
      const analysis = new TextAnalysis(text);
      let steps = 1;
      while (!analysis.run()) steps++;
      expect(analysis.terms).toEqual(termsByPosition(text));
      return steps;
    };
    // Words whose stems are not cached yet.
    const words = (zero: string) =>
      Array.from({ length: 10_000 }, (_, n) => n.toString(2).replaceAll("0", zero).replaceAll("1", "b"));
    expect(stepsOf(words("a").join(" "))).toBeGreaterThan(19);
    // A compound is one token, and its parts are stemmed step by step.
    expect(stepsOf(words("c").join("-"))).toBeGreaterThan(19);
    expect(stepsOf("one word")).toBe(1);
    expect(stepsOf("")).toBe(1);
  });

  it("reads the same tokens in steps of any length", () => {
    const tokensOf = (text: string, characters: number) => {
      const tokens: [number, number, boolean][] = [];
      const tokeniser = new Tokeniser(text, (...token) => tokens.push(token));
      while (!tokeniser.isAtEnd) tokeniser.run(characters);
      return tokens;
    };
    const part = fc.constantFrom(
      "a",
      "b-",
      "1",
      ".",
      "x@y.io",
      "/p",
      "<a b='",
      "-->",
      "<script>",
      "&amp;",
      " ",
      "~/",
      "é",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (parts, characters) => {
        const text = parts.join("");
        expect(tokensOf(text, characters)).toEqual(tokensOf(text, text.length));
      }),
    );
  });

  it("lets accounts take turns: many long texts of one account delay a text of another by little [D2-write-turns]", async () => {
    const order: string[] = [];
    const long = (n: number) => Array.from({ length: 10_000 }, (_, word) => `w${n}x${word}`).join(" ");
    const analyse = (account: string, text: string) =>
      analyseInTurns(account, text).then((found) => {
        expect(found).toBe(termsOf(text));
        order.push(account);
      });
    const busy = Array.from({ length: 10 }, (_, n) => analyse("busy", long(n)));
    await Promise.all([...busy, analyse("other", long(0).slice(0, 4_000))]);
    expect(order.indexOf("other")).toBe(0);
    expect(order).toHaveLength(11);
  });

  it("accepts any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const { term } of analyse(text)) expect(term).not.toMatch(/["\s\0]/);
      }),
    );
  });

  it("takes time proportional to the length of the text", () => {
    const units =
      `a a- a. 1a-1. 1.a. a@ /./ /../ ~/ <!-- <a" <a"'x &a 1. a.bc a.bc- a.bc/ b1.c- a1@b1. a@b.c@ a/./. <?x
      <!D' <a'\\ 日 👍 - < & / .`.split(/\s+/);
    for (const unit of units) {
      const text = unit.repeat(MAX_SEARCHABLE_LENGTH / unit.length);
      const start = performance.now();
      analyse(text);
      // The expected duration is 0.1 s on a slow machine. A quadratic step would take much longer.
      expect(performance.now() - start, unit).toBeLessThan(20_000);
    }
  });
});

describe("stemming", () => {
  it.each([
    ["caresses ties cries gaps gas this kiwis", "caress tie cri gap gas this kiwi"],
    [
      "agreed luxuriated hopping hoping plastered feed bled motoring sing",
      "agre luxuri hop hope plaster feed bled motor sing",
    ],
    ["cry by say dying early ugly news skis only", "cri by say die earli ugli news ski onli"],
    [
      "relational conditional vileness digitizer operator decisiveness hopefulness",
      "relat condit vile digit oper decis hope",
    ],
    ["analogous apologies radically fluently", "analog apolog radic fluentli"],
    ["triplicate formative electrical goodness", "triplic format electr good"],
    [
      "revival allowance inference adjustable replacement adoption cement",
      "reviv allow infer adjust replac adopt cement",
    ],
    ["probate rate cease controlling rolling", "probat rate ceas control roll"],
    [
      "generate generic communism arsenal university universe organ",
      "generat generic communism arsenal univers univers organ",
    ],
    ["inning outing herring proceed exceeds succeeding", "inning outing herring proceed exceed succeed"],
    ["yes boy boyish yelled", "yes boy boyish yell"],
  ])("%s", (words, stems) => expect(words.split(" ").map(stem).join(" ")).toBe(stems));
});

describe("the searchable text of a wire", () => {
  it("is its text and the strings in its payload, in order", () => {
    const payload = { a: "one", b: [1, { c: "two" }, null, true, ["three"]], d: "four" };
    expect(searchableText("text", payload)).toBe("text\none\ntwo\nthree\nfour");
    expect(searchableText(null, "payload")).toBe("\npayload");
    expect(searchableText(null, null)).toBe("");
  });

  it("has a limited length for any payload", () => {
    let deep: unknown = "deep";
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(searchableText(null, deep)).toBe("\ndeep");
    expect(searchableText(null, Array(200_000).fill("x y")).length).toBe(MAX_SEARCHABLE_LENGTH);
  });
});
