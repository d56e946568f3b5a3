import { expect, it } from "vitest";
import { secretsIn } from "../../daemon/console/page/app/secrets.js";

const RANDOM = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";

// [D16-approvals-facts]
it.each([
  [JSON.stringify({ env: { AWS_SECRET_ACCESS_KEY: RANDOM } }), "AWS_SECRET_ACCESS_KEY"],
  [JSON.stringify({ password: "tulip" }), "password"],
  [JSON.stringify({ text: '{"api_key": "tulips"}' }), "api_key"],
  ["DB_PASSWORD=Tulip-77 and more", "DB_PASSWORD"],
  [`use sk-proj-${RANDOM}`, "sk-proj-…"],
  [`the key is wr_${RANDOM}abc`, "wr_a1B2c…"],
  ["the key is AKIAABCDEFGHIJKLMNOP.", "AKIAABCD…"],
  [`ghp_${RANDOM}`, "ghp_a1B2…"],
  [JSON.stringify({ file: "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA" }), "-----BEG…"],
  ["Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2ln", "eyJhbGci…"],
])("finds a secret in %s", (text, name) => {
  expect(secretsIn(text)).toEqual([name]);
});

it.each([
  "Please reset your password: it has expired.",
  "The secret: patience.",
  JSON.stringify({ password_hint: null, tokens: 1200, task: "sk-1", price: 12.5 }),
  "risk-free-offer-for-you-and-all-your-friends is not a key",
])("finds none in %s", (text) => {
  expect(secretsIn(text)).toEqual([]);
});

it("reads a long text within the timeout of a test", () => {
  for (const part of ["a", "secret", "-eyJa", "sk-", "password=", "eyJaaaaaaaaaaaa.", "password    "])
    expect(() => secretsIn(part.repeat(65_536 / part.length))).not.toThrow();
});

it("returns the first ones of many", () => {
  const names = Array.from({ length: 20 }, (_, n) => `password-${n}`);
  expect(secretsIn(names.map((name) => `${name}: Tulip-77`).join("\n"))).toEqual(names.slice(0, 10));
});
