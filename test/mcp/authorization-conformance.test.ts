/**
 * Runs the scenarios of the MCP conformance suite for authorization servers. Only its pre-release has any.
 */
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { failuresByScenario, startAuthorizationConformance } from "../harness/conformance.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { freePort } from "../harness/free-port.js";
import { Application, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";

const { daemon } = await daemonFixture([], OAUTH_DAEMON);

// [D8-mcp-conformance]
it("passes all authorization scenarios of the MCP conformance suite", async () => {
  const human = await OAuthHuman.signUp(daemon);
  const port = await freePort();
  const { clientId } = await Application.register(daemon, {
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  });
  const target = ["--url", `${daemon.origin}/identity`, "--client-id", clientId, "--port", String(port)];
  const suite = startAuthorizationConformance(target);
  let approval: Promise<unknown> | undefined;
  let seen = "";
  suite.stdout!.on("data", (chunk: Buffer) => {
    seen += String(chunk);
    const url = /^(http\S+\/identity\/auth\?\S+)\n/m.exec(seen)?.[1];
    if (url !== undefined)
      approval ??= human.approve(url, { newHandle: "conformance" }).then((back) => fetch(back));
  });
  const output = await text(suite.stdout!);
  await approval;
  expect([...failuresByScenario(output)]).toEqual([
    ["authorization-server-metadata-endpoint", 0],
    ["authorization-code-grant", 0],
  ]);
});
