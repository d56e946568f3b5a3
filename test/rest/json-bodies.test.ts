import { describe, expect, it } from "vitest";
import { expectError } from "../harness/envelope.js";
import { fileDaemon } from "../harness/file-daemon.js";

const { daemon, alice } = await fileDaemon(["alice"]);

const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

async function stored(body: unknown) {
  const sent = await alice.post("/wires", body);
  expect(sent.body).toMatchObject({ id: expect.any(String) });
  return (await alice.get(`/wires/${sent.body.id}`)).body;
}

describe("fields", () => {
  it("that nobody knows are refused by name [D2-unknown-field]", async () => {
    const { errors } = expectError(
      await alice.post("/wires", { to: "alice", text: "x", colour: "red", size: 1 }),
      "VALIDATION_ERROR",
    );
    expect(errors.map(({ message }: { message: string }) => message)).toEqual([
      'unknown field "colour"',
      'unknown field "size"',
    ]);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "slug", "id"])(
    "named %s are as unknown as any other [D2-unknown-field]",
    async (name) => {
      const { errors } = expectError(await alice.put("/profile", `{"${name}": {}}`), "VALIDATION_ERROR");
      expect(JSON.stringify(errors)).toContain(name);
    },
  );

  it("of the path or the query do not belong into the body [D2-unknown-field]", async () => {
    await alice.post("/spaces", { slug: "fields", visibility: "public" });
    const { errors } = expectError(await alice.put("/spaces/fields", { slug: "other" }), "VALIDATION_ERROR");
    expect(errors[0].message).toContain('"slug"');
  });

  it("of a wrong type are refused, and each is named [D2-wrong-type]", async () => {
    const { errors } = expectError(
      await alice.put("/profile", { tags: "x", discoverable: "yes", bio: 7 }),
      "VALIDATION_ERROR",
    );
    expect(errors.map(({ instancePath }: { instancePath: string }) => instancePath).sort()).toEqual([
      "/bio",
      "/discoverable",
      "/tags",
    ]);
  });

  it("inside an object are checked as strictly [D2-unknown-field]", async () => {
    const { errors } = expectError(
      await alice.put("/profile", { inbox_rule: { allow_text: true, votabel: true } }),
      "VALIDATION_ERROR",
    );
    expect(errors).toMatchObject([{ instancePath: "/inbox_rule", message: 'unknown field "votabel"' }]);
  });
});

describe("a body", () => {
  it.each(["{", "{}{}", "{'to': 1}", '{"to": "alice",}', "\uFEFF{}", "nul", '{"text": "\t"}', "\u0000"])(
    "that is not JSON is refused: %j [D2-invalid-json]",
    async (text) => {
      const { errors } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
      expect(errors).toHaveLength(1);
    },
  );

  it("that is not UTF-8 is refused [D2-invalid-json]", async () => {
    const response = await fetch(`${daemon.base}/wires`, {
      method: "POST",
      headers: { authorization: `Bearer ${alice.key}`, "content-type": "application/json" },
      body: Buffer.from('{"to":"alice","text":"\xff\xfe"}', "latin1"),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR", errors: [{ keyword: "json" }] });
  });

  it.each(["[]", "null", '"text"', "1", "true"])(
    "that is %s, no object, is refused [D2-no-object]",
    async (text) => {
      const { errors } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
      expect(errors[0].message).toContain("object");
    },
  );

  it("of another content type is refused [D2-content-type]", async () => {
    const body = { to: "alice", text: "x" };
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "application/json; charset=latin1",
    ]) {
      const { errors } = expectError(
        await alice.post("/wires", body, { "content-type": type }),
        "VALIDATION_ERROR",
      );
      expect(errors[0].message).toContain("application/json");
    }
    for (const encoding of ["gzip", "br", "nonsense"]) {
      const packed = await alice.post("/wires", body, { "content-encoding": encoding });
      expect(expectError(packed, "VALIDATION_ERROR").errors[0].keyword).toBe("content-encoding");
    }
    const plain = await alice.post("/wires", body, { "content-encoding": "Identity" });
    expect(plain.status).toBe(201);
  });

  it("may name its charset, in any case [D2-content-type] [S4-json]", async () => {
    for (const type of ["application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"']) {
      const reply = await alice.post("/wires", { to: "alice", text: "x" }, { "content-type": type });
      expect(reply.status).toBe(201);
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    }
  });

  it("with a key twice is refused, at any depth [D2-duplicate-keys]", async () => {
    for (const text of [
      '{"to":"alice","text":"a","text":"b"}',
      '{"to":"alice","payload":[{"a":{"b":1,"b":1}}]}',
      '{"to":"alice","payload":{"a":1,"\\u0061":2}}',
    ]) {
      const { message } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
      expect(message).toContain("twice");
    }
  });

  it("may hold one key in several objects [D2-duplicate-keys]", async () => {
    expect((await stored('{"to":"alice","payload":{"a":{"a":[{"a":1},{"a":2}]}}}')).payload).toEqual({
      a: { a: [{ a: 1 }, { a: 2 }] },
    });
  });

  it("with a number that no double holds is refused [D2-number-range]", async () => {
    for (const number of ["1e400", "-1e400", "1e99999999999"]) {
      const { errors } = expectError(
        await alice.post("/wires", `{"to":"alice","payload":{"n":[${number}]}}`),
        "VALIDATION_ERROR",
      );
      expect(errors[0].instancePath).toBe("/payload/n/0");
    }
    expect((await stored('{"to":"alice","payload":[1e308,-5e-324,0.1,-7]}')).payload).toEqual([
      1e308, -5e-324, 0.1, -7,
    ]);
  });

  it("may be nested 64 levels deep, counted from its root, and no deeper [D2-depth]", async () => {
    expect((await stored(`{"to":"alice","payload":${nested(63)}}`)).payload).toEqual(JSON.parse(nested(63)));
    for (const levels of [64, 1_000, 100_000]) {
      const { message } = expectError(
        await alice.post("/wires", `{"to":"alice","payload":${nested(levels)}}`),
        "VALIDATION_ERROR",
      );
      expect(message).toContain("64 levels");
    }
  });
});

describe("text", () => {
  it.each([
    ["NUL", "a\u0000b"],
    ["control characters", "\u0001\u001f\u007f\u0085\u2028\u2029"],
    ["emoji and combining marks", "e\u0301 \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{10FFFF}"],
    ["noncharacters", "\uFFFE\uFFFF\uFDD0"],
    ["leading and trailing blanks", " \r\n x \t "],
    ["what looks like JSON or SQL", `"}'; DROP TABLE wires; -- \\u0000 %00`],
  ])("with %s round-trips, in text and payload [D2-text-verbatim]", async (_, text) => {
    const wire = await stored({ to: "alice", text, payload: { [text]: [text] } });
    expect(wire.text_body).toBe(text);
    expect(wire.payload).toEqual({ [text]: [text] });
    const inbox = (await alice.get("/inbox?limit=100")).body.wires;
    expect(inbox.find(({ id }: { id: string }) => id === wire.id)).toEqual(wire);
  });

  it("with a lone surrogate is refused, in values and keys [D2-lone-surrogate]", async () => {
    for (const text of [
      '{"to":"alice","text":"\\ud800"}',
      '{"to":"alice","text":"\\udc00\\ud800"}',
      '{"to":"alice","payload":{"\\ud83d":1}}',
    ]) {
      const { message } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
      expect(message).toContain("surrogate");
    }
    expect((await stored('{"to":"alice","text":"\\ud83d\\ude00"}')).text_body).toBe("\u{1F600}");
  });

  it("is measured in code points [D2-code-points] [S8-wire-text]", async () => {
    for (const character of ["a", "\u{1F600}"]) {
      expect((await stored({ to: "alice", text: character.repeat(8_192) })).text_body).toHaveLength(
        8_192 * character.length,
      );
      const { errors } = expectError(
        await alice.post("/wires", { to: "alice", text: character.repeat(8_193) }),
        "VALIDATION_ERROR",
      );
      expect(errors[0]).toMatchObject({ instancePath: "/text", keyword: "maxLength" });
    }
  });

  it("of an intro has 500 code points at most [D2-code-points] [S8-knock-intro]", async () => {
    await daemon.agent("bob");
    const tooLong = await alice.post("/knocks", { handle: "bob", intro: "\u{1F600}".repeat(501) });
    expect(expectError(tooLong, "VALIDATION_ERROR").errors[0].instancePath).toBe("/intro");
    const fits = await alice.post("/knocks", { handle: "bob", intro: "\u{1F600}".repeat(500) });
    expect(fits.status).toBe(201);
  });
});
