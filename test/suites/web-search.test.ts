import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpace, sendWire } from "../harness/api-helpers.js";
import { printSuiteResult, readSuite, skipNote } from "../harness/conformance-suites.js";
import {
  type AgentClient,
  type Body,
  NO_LIMITS_FEW_LOGS,
  startDaemon,
  type TestDaemon,
} from "../harness/daemon.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { readAllPages } from "../harness/pagination.js";
import { WEB_SEARCH_EXCEPTIONS } from "../harness/web-search-exceptions.js";

interface Cases {
  documents: { id: string; text: string }[];
  queries: { id: string; q: string; ids: string[] }[];
}

const cases = readSuite<Cases>("websearch/websearch.shared.json");

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS_FEW_LOGS });
  agent = await daemon.createAgent("suite");
});
afterAll(() => daemon.stop());

describe("a search in a space", () => {
  it.skipIf(!cases)(
    `returns the same documents as PostgreSQL 15, but for the parts of compounds${skipNote(cases)}`,
    async () => {
      const { documents, queries } = cases!;
      await createSpace(agent, "library");
      await createSpace(agent, "annex");
      const wires = await mapConcurrently(documents, ({ text }) => sendWire(agent, "#library", { text }));
      await mapConcurrently(documents, ({ text }) => sendWire(agent, "#annex", { text }));
      const documentOf = new Map<string, string>(wires.map(({ id }, n) => [id, documents[n]!.id]));
      const found = await mapConcurrently(queries, ({ q }) =>
        readAllPages(agent, `/spaces/library/search?q=${encodeURIComponent(q)}`, "wires", 100),
      );
      const sets = found.map((rows) =>
        rows.map(({ id }: Body) => documentOf.get(id) ?? "of another space").sort(),
      );
      const different = queries.filter(({ ids }, n) => sets[n]!.join() !== [...ids].sort().join());
      printSuiteResult("web search over HTTP", queries.length, { "another set": different.length });
      expect(different.map(({ id }) => id).sort()).toEqual(Object.keys(WEB_SEARCH_EXCEPTIONS));
    },
  );
});
