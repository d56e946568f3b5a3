import fc from "fast-check";
import { stem } from "porter2";
import { describe, expect, it } from "vitest";
import { analyse, TextAnalysis } from "../../src/store/fulltext/analyse.js";
import { termsOf } from "../../src/store/fulltext/fts5.js";
import { MAX_SEARCHABLE_LENGTH, searchableText } from "../../src/store/fulltext/searchable-text.js";
import { analyseInTurns } from "../../src/store/fulltext/text-turns.js";

/** Returns the terms of a text by position. A dash stands for a gap. */
function terms(text: string): string {
  return analyse(text)
    .terms.map((term) => term || "_")
    .join(" ");
}

describe("the analysis of a text", () => {
  it.each([
    ["words, stemmed", "Deployments were running", "deploy _ run"],
    ["gaps where stop words are", "The cat in the hat", "_ cat _ _ hat"],
    ["words of any script, in lower case", "ПРИВЕТ Ünï STRASSE straße", "привет ünï strass strass"],
    ["one form of a letter with several", "ΟΔΟΣ οδος İx", "οδοσ οδοσ ix"],
    ["accents in one form", "cafe\u0301 caf\u00e9 \u0301x", "café café x"],
    ["apostrophes as blanks", "agent's don't", "agent _ _ _"],
    ["words of one script, with their digits", "APIключ 24часа x86 v2beta", "api ключ 24часа x86 v2beta"],
    ["marks of vowels", "नमस्ते", "नमस्ते"],
    [
      "compounds in parts, then as a whole",
      "multi-agent foxes.io",
      "multi agent fox io _ multi-agent foxes.io",
    ],
    ["stop words in compounds", "to_json who.is", "to json who is _ to_json who.is"],
    ["versions", "v1.2.3-beta", "v1 2 3 beta _ v1.2.3-beta"],
    ["e-mail addresses", "Ops@Example.com", "op exampl com _ ops@example.com"],
    ["paths", "/var/log/x.1", "var log x 1 _ var/log/x.1"],
    ["compounds that end at other characters", "foo.com. x--b c.", "foo com x b c _ foo.com"],
    ["Han and kana in pairs", "日本語です", "日本 本語 語で です _ 日 本 語 で す"],
    ["a single character", "API 水 x", "api 水 x _ 水"],
    ["pairs beside words", "API密钥过期v2", "api 密钥 钥过 过期 v2 _ 密 钥 过 期"],
    ["Hangul, and Thai with its marks", "서버 ล่ม", "서버 ล่ ่ม _ 서 버 ล ่ ม"],
    ["rare Han", "\u{20000}\u{20001}", "\u{20000}\u{20001} _ \u{20000} \u{20001}"],
  ])("returns %s", (_, text, expected) => expect(terms(text)).toBe(expected));

  it("omits words longer than 512 characters, and does not stem words longer than 128", () => {
    expect(terms("a".repeat(513))).toBe("");
    expect(terms("é".repeat(512))).toBe("é".repeat(512));
    expect(terms(`a${"x".repeat(124)}ing`)).toBe(`a${"x".repeat(124)}`);
    expect(terms(`a${"x".repeat(125)}ing`)).toBe(`a${"x".repeat(125)}ing`);
  });

  it("indexes a compound of more than 256 characters by its parts only", () => {
    expect(analyse(`${"a".repeat(253)}.io`).wholes.size).toBe(1);
    expect(analyse(`${"a".repeat(254)}.io`).wholes.size).toBe(0);
  });

  it("runs in steps, with the same terms", () => {
    const stepsOf = (text: string) => {
      const analysis = new TextAnalysis(text);
      let steps = 1;
      while (!analysis.run()) steps++;
      expect(analysis.terms).toEqual(analyse(text).terms);
      return steps;
    };
    const words = Array.from({ length: 10_000 }, (_, n) => n.toString(36));
    expect(stepsOf(words.join(" "))).toBeGreaterThan(15);
    expect(stepsOf(words.join("-"))).toBeGreaterThan(15);
    expect(stepsOf("磁盘".repeat(10_000))).toBeGreaterThan(9);
    expect(stepsOf("one word")).toBe(1);
    expect(stepsOf("")).toBe(1);
  });

  it("reads the same tokens in steps of any length", () => {
    const tokensOf = (text: string, characters: number) => {
      const analysis = new TextAnalysis(text);
      while (!analysis.run(characters));
      return analysis;
    };
    const part = fc.constantFrom(
      "a",
      "b-",
      "1",
      ".",
      "x@y.io",
      "/p",
      " ",
      "é",
      "ж",
      "日",
      "本",
      "่",
      "\u0301",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (parts, characters) => {
        const text = parts.join("");
        expect(tokensOf(text, characters)).toEqual(tokensOf(text, text.length + 1));
      }),
    );
  });

  it("reads the same tokens in ASCII whether or not other characters follow", () => {
    const tokensOf = (text: string) => {
      const { parts, terms, groups, lastGroup } = analyse(text);
      return { parts, terms, groups, lastGroup };
    };
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii", maxLength: 60 }), (text) => {
        expect(tokensOf(`${text} …`)).toEqual(tokensOf(text));
      }),
    );
  });

  // [D2-write-turns]
  it("lets accounts take turns: many long texts of one account delay a text of another by little", async () => {
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
        for (const term of analyse(text).terms) expect(term).not.toMatch(/["\s\0]/);
      }),
    );
  });

  it("takes time proportional to the length of the text", () => {
    const units = "a a- a. 1a-1. 1.a. a@ /./ 1 . 日 日本 日a ่ 👍 - \u0301 a\u0301 aж ΟΔΟΣ".split(" ");
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
