/** The console of a daemon whose humans sign in at an external provider. */
import { afterAll, describe, expect, it } from "vitest";
import { openChromium } from "../harness/chromium.js";
import { signedIn, signOut } from "../harness/console.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { foreignDaemon, startForeignIssuer } from "../harness/foreign-issuer.js";

const browser = await openChromium();
const issuer = await startForeignIssuer();
afterAll(() => issuer.close());
const { daemon } = await daemonFixture([], foreignDaemon(issuer, "some-audience"));
await issuer.serve(daemon);

describe.skipIf(!browser)("with an external provider", () => {
  // [D16-console-session] [D16-console-sign-out]
  it("the human signs in there, works on after the daemon has restarted, and another human has to sign in, too", async () => {
    const page = await (await browser!.newContext()).newPage();
    const enter = async (name: string) => {
      await page.getByPlaceholder("Enter any login").fill(name);
      await page.getByPlaceholder("and password").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await page.getByRole("button", { name: "Continue" }).click();
      await signedIn(page);
    };
    await page.goto(`${daemon.origin}/console/new-handle`);
    await enter("ada");
    expect(page.url()).toBe(`${daemon.origin}/console/new-handle`);
    await page.getByLabel("Name of the handle").fill("ada-agent");
    await daemon.restart();
    await page.getByRole("button", { name: "Create a handle" }).click();
    await page.getByRole("heading", { name: "@ada-agent" }).waitFor();
    await page.reload();
    await signedIn(page);
    await signOut(page);
    await page.getByRole("button", { name: "Sign in" }).click();
    await enter("lin");
    await page.goto(`${daemon.origin}/console/handles`);
    await page.getByRole("heading", { name: "1. Create a handle and a key" }).waitFor();
    expect(await page.content()).not.toContain("ada-agent");
  });
});
