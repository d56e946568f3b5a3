import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { fileDaemon } from "../harness/file-daemon.js";
import { forge, validClaims } from "../harness/oidc-issuer.js";
import { Person } from "../harness/person.js";

const { daemon } = await fileDaemon([], { embedded: true });

async function signedIn(): Promise<Person> {
  const person = new Person(() => daemon);
  await person.signUp();
  return person;
}

/** An ID token that the command takes for one that ends in that many seconds; the daemon takes none like it. */
const tokenFor = (seconds: number) =>
  forge({ alg: "RS256" }, { exp: Math.floor(Date.now() / 1_000) + seconds });

async function changeSignIn(person: Person, fields: object): Promise<void> {
  const profile = await person.profile();
  const changed = { ...profile, signIn: { ...profile.signIn, ...fields } };
  await writeFile(person.profileFile(), JSON.stringify(changed));
}

describe("the ID token", () => {
  it("is refreshed before it expires, again and again [C-token-refresh]", async () => {
    const ada = await signedIn();
    for (let i = 0; i < 2; i++) {
      const { signIn } = await ada.profile();
      const aging = tokenFor(30);
      await changeSignIn(ada, { idToken: aging });
      expect(await ada.json(["handle", "list"])).toEqual({ handles: [] });
      const { signIn: renewed } = await ada.profile();
      // Two tokens of one second are the same, so it is not that of the first round which it must differ from.
      expect(renewed.idToken).not.toBe(aging);
      expect(renewed.refreshToken).not.toBe(signIn.refreshToken);
    }
  });

  it("is refreshed once where the daemon refuses it, and the call repeated [C-token-refused]", async () => {
    const ada = await signedIn();
    const stale = tokenFor(3_000);
    await changeSignIn(ada, { idToken: stale });
    expect(await ada.json(["handle", "create", "recovered"])).toMatchObject({ slug: "recovered" });
    expect((await ada.profile()).signIn.idToken).not.toBe(stale);
  });

  it("is refreshed by one of several processes alone [C-token-together]", async () => {
    const ada = await signedIn();
    // A refresh token that came twice would end the sign-in, so the second round shows whether one did.
    for (let i = 0; i < 2; i++) {
      await changeSignIn(ada, { idToken: tokenFor(-60) });
      const all = await Promise.all(Array.from({ length: 4 }, () => ada.spawn(["handle", "list", "--json"])));
      expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, ""]));
    }
  });

  it("that cannot be refreshed ends with 3, and says wireroom login [C-token-ended]", async () => {
    const ada = await signedIn();
    await changeSignIn(ada, { idToken: tokenFor(-60), refreshToken: "used-up" });
    const { code, stderr } = await ada.run(["handle", "list"]);
    expect(code).toBe(3);
    expect(stderr).toContain(`the sign-in of ${ada.email} has ended`);
    expect(stderr).toContain("wireroom login");
    await changeSignIn(ada, { refreshToken: undefined });
    expect((await ada.run(["handle", "list"])).stderr).toContain("wireroom login");
  });

  it("that is refused for good is told as the daemon told it [C-token-refused]", async () => {
    const ada = await signedIn();
    await changeSignIn(ada, { idToken: tokenFor(3_000), refreshToken: undefined });
    const { code, stderr } = await ada.run(["handle", "list", "--json"]);
    expect(code).toBe(4);
    expect(JSON.parse(stderr).code).toBe("FORBIDDEN");
  });

  it("says that the provider is out of reach, and ends with 8", async () => {
    const ada = await signedIn();
    await changeSignIn(ada, { idToken: tokenFor(-60), issuer: "http://127.0.0.1:9/identity" });
    const { code, stderr } = await ada.run(["handle", "list", "--json"]);
    expect(code).toBe(8);
    expect(JSON.parse(stderr).code).toBe("PROVIDER_UNREACHABLE");
  });

  it("that is just being refreshed is kept, though Ctrl-C comes meanwhile [C-token-kept]", async () => {
    const ada = await signedIn();
    const provider = await slowProvider();
    const { url: issuer } = provider;
    await changeSignIn(ada, { idToken: tokenFor(-60), issuer, refreshToken: "first" });
    const terminal = ada.terminal(["handle", "list"]);
    await provider.asked;
    terminal.press("\x03");
    // Time for the signal to arrive; the outcome does not hang on it.
    await new Promise((resolve) => setTimeout(resolve, 300));
    provider.answer();
    expect(await terminal.ended).toBe(130);
    expect((await ada.profile()).signIn.refreshToken).toBe("second");
    provider.close();
  });
});

/** A provider whose token endpoint answers when it is told to. */
async function slowProvider() {
  let answer!: () => void;
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const server = createServer(async (request, response) => {
    const reply = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.method === "GET") return reply({ issuer: url, token_endpoint: `${url}/token` });
    server.emit("asked");
    await told;
    const id_token = forge({ alg: "RS256" }, validClaims(url, "wireroom-cli"), "signature");
    reply({ access_token: "access", token_type: "Bearer", id_token, refresh_token: "second" });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked: once(server, "asked"), answer, close: () => server.close() };
}
