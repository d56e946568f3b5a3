import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { clients } from "./clients.js";
import { runClient } from "./run-client.js";

const work = await mkdtemp(join(tmpdir(), "wireroom-hosts-test-"));
afterAll(() => rm(work, { recursive: true, force: true }));

it("runs the program of a client, and records what reaches the model", async () => {
  const client = clients.find(({ id }) => id === "client-1")!;
  // The programs also find the official client in the packages of the repository.
  const folder = join(import.meta.dirname, "programs");
  const installation = { folder, node: process.execPath, nodeVersion: process.versions.node };
  const steps = ["send", "read", "error"] as const;
  const { script, served } = await runClient(client, installation, { access: "key", work, steps });

  expect(script.tools.map(({ name }) => name)).toEqual(served.map(({ name }) => name));
  const failures = [...script.outcomes].map(([name, { failure }]) => [name, failure]);
  expect(failures).toEqual(steps.map((name) => [name, undefined]));
  expect(script.outcomes.get("read")!.result).toMatchObject({
    structuredContent: { wires: [expect.anything()] },
  });
  expect(await readFile(join(work, "requests.json"), "utf8")).toContain("buy a boat");
});
