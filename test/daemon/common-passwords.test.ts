import { describe, expect, it } from "vitest";
import { identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";

let clock = Date.now();
const host = await identityFixture({ now: () => clock });
const { post, newAccount } = identityClient(() => host);

describe("a password that is easy to guess", () => {
  // [D10-common-passwords]
  it.each([
    ["a common one", "baseball"],
    ["one in upper case", "QWERTYUIOP"],
    ["one in wide letters", "ｐａｓｓｗｏｒｄ"],
    ["the name of the service with digits", "wireroom2026!"],
  ])("(%s) is rejected by a sign-up", async (_, password) => {
    const { status, body } = await post("sign-up", { email: newEmail(), password });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ instancePath: "/password", keyword: "common" }],
    });
  });

  // [D10-common-passwords]
  it("is the e-mail address of the human, or its first part with digits", async () => {
    for (const password of ["alice.smith@example.com", "Alice.Smith", "1234alice.smith56"]) {
      const { status } = await post("sign-up", { email: "alice.smith@example.com", password });
      expect(status, password).toBe(400);
    }
    const other = await post("sign-up", { email: newEmail(), password: "alice.smith@example.com" });
    expect(other.status).toBe(202);
  });

  // [D10-common-passwords]
  it("is rejected as a new password too, and the code stays valid", async () => {
    const email = await newAccount();
    const change = { email, password: PASSWORD, new_password: "superman" };
    expect((await post("password", change)).body).toMatchObject({
      errors: [{ instancePath: "/new_password", keyword: "common" }],
    });
    // The next mail to an address waits for a minute.
    clock += 60_000;
    await post("forgot", { email });
    await expect.poll(() => host.log.map(({ msg }) => msg)).toContain("password reset code");
    const code = String(host.log.findLast(({ msg }) => msg === "password reset code")!.code);
    expect((await post("reset", { email, code, password: "superman" })).status).toBe(400);
    expect((await post("reset", { email, code, password: "a much better password" })).status).toBe(200);
  });
});
