import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Body, QUIET, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { inFlight } from "../harness/in-flight.js";
import { everyPage } from "../harness/pages.js";
import { printFigures, reasonToSkip, suite } from "../harness/suites.js";
import { createSpace, send } from "../harness/talk.js";

interface Cases {
  documents: { id: string; text: string }[];
  queries: { id: string; q: string; ids: string[] }[];
}

const cases = suite<Cases>("websearch/websearch.shared.json");

/** Queries that find other documents than PostgreSQL 15 does, and why. */
const OTHERWISE: Record<string, string> = {};

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ args: QUIET });
  agent = await daemon.agent("suite");
});
afterAll(() => daemon.stop());

describe("searches in a space", () => {
  it.skipIf(!cases)(`find the documents that PostgreSQL 15 finds${reasonToSkip(cases)}`, async () => {
    const { documents, queries } = cases!;
    await createSpace(agent, "library");
    await createSpace(agent, "annex");
    const wires = await inFlight(documents, ({ text }) => send(agent, "#library", { text }));
    await inFlight(documents, ({ text }) => send(agent, "#annex", { text }));
    const documentOf = new Map<string, string>(wires.map(({ id }, n) => [id, documents[n]!.id]));
    const found = await inFlight(queries, ({ q }) =>
      everyPage(agent, `/spaces/library/search?q=${encodeURIComponent(q)}`, "wires", 100),
    );
    const sets = found.map((rows) =>
      rows.map(({ id }: Body) => documentOf.get(id) ?? "of another space").sort(),
    );
    const different = queries.filter(({ ids }, n) => sets[n]!.join() !== [...ids].sort().join());
    printFigures("web search over HTTP", queries.length, { "another set": different.length });
    expect(different.map(({ id }) => id).sort()).toEqual(Object.keys(OTHERWISE).sort());
  });
});
