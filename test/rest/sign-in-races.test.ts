/** Sign-ins at the same time as what ends them. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { expectOk, expectRefused } from "../harness/api-helpers.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { Application, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const ROUNDS = 12;

const { daemon } = await daemonFixture([], OAUTH_DAEMON);

const cli = new Application(daemon, "wireroom-cli");

/** Signs in several times, two milliseconds apart. */
const signInOften = (human: OAuthHuman, times: number) =>
  Promise.all(Array.from({ length: times }, (_, n) => sleep(2 * n).then(() => human.passwordGrant())));

// [D10-change] [D16-sign-in-ends-tokens]
it("a new password also ends a sign-in with the old one that has not got its tokens yet", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const human = await OAuthHuman.signUp(daemon);
    const { body: kept } = await human.passwordGrant();
    const racing = signInOften(human, 6);
    await human.changePassword("another long secret", kept.id_token);
    for (const { status, body } of await racing) {
      if (status !== 200) continue;
      await expectRefused(daemon.client(body.id_token).get("/accounts/me"), "FORBIDDEN");
      expect((await cli.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    }
    expect((await cli.refresh(kept.refresh_token)).status).toBe(200);
  }
});

// [D16-sign-ins-others]
it("the end of all others keeps the current one while it is renewed, and half of none", async () => {
  const human = await OAuthHuman.signUp(daemon);
  for (let round = 0; round < ROUNDS; round++) {
    const { body: kept } = await human.passwordGrant();
    const owner = daemon.client(kept.id_token);
    const racing = signInOften(human, 4);
    const renewal = sleep(round % 6).then(() => cli.refresh(kept.refresh_token));
    await sleep(3);
    await expectOk(owner.delete("/sign-ins"));
    const { status, body } = await renewal;
    expect(status).toBe(200);
    expect((await cli.refresh(body.refresh_token)).status).toBe(200);
    let later = 0;
    for (const { status, body } of await racing) {
      if (status !== 200) continue;
      const isLater = (await daemon.client(body.id_token).get("/accounts/me")).status === 200;
      expect((await cli.refresh(body.refresh_token)).status).toBe(isLater ? 200 : 400);
      if (isLater) later++;
    }
    expect((await expectOk(owner.get("/sign-ins"))).sign_ins).toHaveLength(1 + later);
  }
});
