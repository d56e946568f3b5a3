import { describe, expect, it } from "vitest";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";
import { postToMcp } from "../harness/mcp.js";
import { sendRawRequest } from "../harness/raw-http.js";

const { daemon, alice } = await hostedFixture(["alice", "bob"]);

const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;

async function stored(body: unknown) {
  const sent = await alice.post("/wires", body);
  expect(sent.body).toMatchObject({ id: expect.any(String) });
  return (await alice.get(`/wires/${sent.body.id}`)).body;
}

describe("the fields of a body", () => {
  // [D2-unknown-field]
  it("are rejected by name if they are unknown", async () => {
    const { errors } = expectError(
      await alice.post("/wires", { to: "alice", text: "x", colour: "red", size: 1 }),
      "VALIDATION_ERROR",
    );
    expect(errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^unknown field "colour"; the fields are to, text, payload, /),
      expect.stringMatching(/^unknown field "size"; the fields are to, text, payload, /),
    ]);
  });

  // [D2-unknown-field]
  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "slug", "id"])(
    "are rejected if they are named %s",
    async (name) => {
      const { errors } = expectError(await alice.put("/profile", `{"${name}": {}}`), "VALIDATION_ERROR");
      expect(JSON.stringify(errors)).toContain(name);
    },
  );

  // [D2-unknown-field]
  it("are rejected if they belong to the path or the query", async () => {
    await alice.post("/spaces", { slug: "fields", visibility: "public" });
    const { errors } = expectError(await alice.put("/spaces/fields", { slug: "other" }), "VALIDATION_ERROR");
    expect(errors[0].message).toContain('"slug"');
  });

  // [D2-wrong-type]
  it("are rejected with their names if they have a wrong type", async () => {
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

  // [D2-unknown-field]
  it("are checked in the same way inside an object", async () => {
    const { errors } = expectError(
      await alice.put("/profile", { inbox_rule: { allow_text: true, votabel: true } }),
      "VALIDATION_ERROR",
    );
    const message = expect.stringMatching(/^unknown field "votabel"; the fields are allow_text, /);
    expect(errors).toMatchObject([{ instancePath: "/inbox_rule", message }]);
    const missing = await alice.put("/profile", { inbox_rule: { votable: true } });
    expect(missing.body.message).toBe('/inbox_rule: the field "allow_text" (a boolean) is required');
  });
});

describe("a body", () => {
  // [D2-invalid-json]
  it.each(["{", "{}{}", "{'to': 1}", '{"to": "alice",}', "\uFEFF{}", "nul", '{"text": "\t"}', "\u0000"])(
    "is rejected if it is not JSON: %j",
    async (text) => {
      const { errors } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
      expect(errors).toHaveLength(1);
    },
  );

  // [D2-invalid-json]
  it("is rejected if it is not UTF-8", async () => {
    const response = await fetch(`${daemon.base}/wires`, {
      method: "POST",
      headers: { authorization: `Bearer ${alice.key}`, "content-type": "application/json" },
      body: Buffer.from('{"to":"alice","text":"\xff\xfe"}', "latin1"),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR", errors: [{ keyword: "json" }] });
  });

  // [D2-no-object]
  it.each(["[]", "null", '"text"', "1", "true"])("is rejected if it is not an object: %s", async (text) => {
    const { errors } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
    expect(errors[0].message).toContain("object");
  });

  // [D2-content-type]
  it("is rejected with another content type", async () => {
    const body = { to: "alice", text: "x" };
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "application/json; charset=latin1",
      'application/json; v=1; charset="utf-16"',
      "application/json;charset=utf-8; charset=utf-16",
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

  // [D2-content-type] [S4-json]
  it("may have a charset and other parameters in its content type, in upper or lower case", async () => {
    for (const type of [
      "application/json;charset=UTF-8",
      'Application/JSON; charset="utf-8"',
      "application/json; charset=utf8",
      "application/json;v=1",
      "application/json ; v=1; Charset=UTF8",
      "application/json;",
    ]) {
      const reply = await alice.post("/wires", { to: "alice", text: "x" }, { "content-type": type });
      expect(reply.status).toBe(201);
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    }
  });

  // [D2-duplicate-keys]
  it("is rejected with a duplicate key at any depth", async () => {
    for (const text of [
      '{"to":"alice","text":"a","text":"b"}',
      '{"to":"alice","payload":[{"a":{"b":1,"b":1}}]}',
      '{"to":"alice","payload":{"a":1,"\\u0061":2}}',
    ]) {
      const { message } = expectError(await alice.post("/wires", text), "VALIDATION_ERROR");
      expect(message).toContain("twice");
    }
  });

  // [D2-duplicate-keys]
  it("may contain the same key in different objects", async () => {
    expect((await stored('{"to":"alice","payload":{"a":{"a":[{"a":1},{"a":2}]}}}')).payload).toEqual({
      a: { a: [{ a: 1 }, { a: 2 }] },
    });
  });

  // [D2-number-range]
  it("is rejected with a number that is out of range of a double", async () => {
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

  // [D2-number-range] [S1-mcp-same-operations]
  it.each(["9007199254740993e0", "9007199254740993.0", "9007199254740993E+0", "12345678901234567e0"])(
    "is rejected with a number that a double would change, however it is spelled: %s, on REST and MCP",
    async (number) => {
      const body = `{"to":"alice","payload":{"n":${number}}}`;
      const { errors } = expectError(await alice.post("/wires", body), "VALIDATION_ERROR");
      expect(errors).toMatchObject([{ instancePath: "/payload/n", keyword: "json" }]);
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_wire","arguments":${body}}}`;
      const { structuredContent } = (await postToMcp(daemon, alice.key, call)).body.result;
      expect(structuredContent).toMatchObject({ code: "VALIDATION_ERROR", errors });
    },
  );

  // [D2-number-spelling]
  it("returns a number in its shortest spelling, with the same value", async () => {
    const sent = '{"to":"alice","payload":[-0,1.0,1e2,0.50,1E-7,100000000000000000000000]}';
    const { id } = (await alice.post("/wires", sent)).body;
    const response = await fetch(`${daemon.base}/wires/${id}`, {
      headers: { authorization: `Bearer ${alice.key}` },
    });
    expect(await response.text()).toContain('"payload":[0,1,100,0.5,1e-7,1e+23]');
  });

  // [D2-depth]
  it("may be nested up to 64 levels, including its root", async () => {
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

describe("the body of a DELETE", () => {
  const path = "/blocks/bob";

  // [D2-unknown-field] [D2-invalid-json] [D2-content-type]
  it("is checked like every body, also if the operation has no body fields", async () => {
    const refused = async (body: unknown, headers?: Record<string, string>) =>
      expectError(await alice.request("DELETE", path, body, headers), "VALIDATION_ERROR").errors[0];
    expect((await refused({ reason: "x" })).message).toBe('unknown field "reason"; the fields are handle');
    expect((await refused({ handle: "alice" })).message).toContain('"handle"');
    expect((await refused("{")).keyword).toBe("json");
    expect((await refused("[]")).message).toContain("object");
    expect((await refused("{}", { "content-type": "text/plain" })).keyword).toBe("content-type");
    expect((await refused({ large: "x".repeat(256 * 1_024) })).keyword).toBe("maxLength");
  });

  // [D2-unknown-field]
  it("may be absent or empty, with and without a type", async () => {
    for (const headers of [undefined, { "content-type": "application/json" }]) {
      expect((await alice.request("DELETE", path, undefined, headers)).status).toBe(200);
      for (const body of ["", "{}"])
        expect((await alice.request("DELETE", path, body, headers)).status).toBe(200);
    }
    const head = `DELETE /v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${alice.key}\r\n`;
    for (const rest of ["\r\n", "Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"])
      expect(await sendRawRequest(daemon.origin, head + rest)).toMatchObject({ status: 200 });
    const untyped = await sendRawRequest(daemon.origin, `${head}Content-Length: 2\r\n\r\n{}`);
    expect(untyped).toMatchObject({ status: 400 });
  });
});

describe("text", () => {
  // [D2-text-verbatim]
  it.each([
    ["NUL", "a\u0000b"],
    ["control characters", "\u0001\u001f\u007f\u0085\u2028\u2029"],
    ["emoji and combining marks", "e\u0301 \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{10FFFF}"],
    ["noncharacters", "\uFFFE\uFFFF\uFDD0"],
    ["leading and trailing blanks", " \r\n x \t "],
    ["what looks like JSON or SQL", `"}'; DROP TABLE wires; -- \\u0000 %00`],
  ])("with %s is returned unchanged, in text and payload", async (_, text) => {
    const { delivery: _delivery, ...wire } = await stored({ to: "alice", text, payload: { [text]: [text] } });
    expect(wire.text_body).toBe(text);
    expect(wire.payload).toEqual({ [text]: [text] });
    const inbox = (await alice.get("/inbox?limit=100")).body.wires;
    expect(inbox.find(({ id }: { id: string }) => id === wire.id)).toEqual(wire);
  });

  // [D2-lone-surrogate]
  it("with a lone surrogate is rejected, in values and keys", async () => {
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

  // [D2-code-points] [S8-wire-text]
  it("is measured in code points", async () => {
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

  // [D2-code-points] [S8-knock-intro]
  it("of an intro may have up to 500 code points", async () => {
    const tooLong = await alice.post("/knocks", { handle: "bob", intro: "\u{1F600}".repeat(501) });
    expect(expectError(tooLong, "VALIDATION_ERROR").errors[0].instancePath).toBe("/intro");
    const fits = await alice.post("/knocks", { handle: "bob", intro: "\u{1F600}".repeat(500) });
    expect(fits.status).toBe(201);
  });
});
