import { describe, expect, it } from "vitest";
import { identityClient, newEmail, PASSWORD } from "../harness/identity-client.js";
import { identityFixture } from "../harness/identity-fixture.js";

const host = await identityFixture();
const SOURCE = "203.0.113.9";
const { post, signIn, newAccount } = identityClient(() => host, SOURCE);

const events = (event: string) => host.log.filter((line) => line.event === event);

describe("the log of security events", () => {
  // [D12-security-log]
  it("has a line with account and source for a confirmed sign-up, a sign-in and a wrong password", async () => {
    const email = await newAccount();
    const [confirmed] = events("account.confirmed");
    expect(confirmed).toMatchObject({ level: "info", source: SOURCE, user: expect.any(String) });
    const { user } = confirmed!;
    await signIn(email, PASSWORD);
    await signIn(email, "a wrong password");
    expect(events("sign-in")).toMatchObject([
      { level: "info", outcome: "signed in", user, source: SOURCE },
      { level: "warn", outcome: "wrong", user, source: SOURCE },
    ]);
  });

  // [D12-security-log]
  it("has a line for each new password", async () => {
    const email = await newAccount();
    await post("password", { email, password: PASSWORD, new_password: "another good password" });
    expect(events("password.changed")).toMatchObject([{ user: expect.any(String), source: SOURCE }]);
  });

  // [D12-security-log]
  it("does not repeat what was typed as an address, which may be a password", async () => {
    const typed = newEmail();
    await signIn(typed, "x".repeat(20));
    expect(JSON.stringify(events("sign-in").at(-1))).not.toContain(typed);
  });
});
