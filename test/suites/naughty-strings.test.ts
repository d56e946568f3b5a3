import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpace } from "../harness/api-helpers.js";
import { printSuiteResult, readSuite, skipNote } from "../harness/conformance-suites.js";
import { type AgentClient, NO_LIMITS_FEW_LOGS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mapConcurrently } from "../harness/map-concurrently.js";

const strings = readSuite<string[]>("naughty/blns.json");

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS_FEW_LOGS });
  agent = await daemon.createAgent("suite");
  await createSpace(agent, "naughty");
});
afterAll(() => daemon.stop());

describe("the Big List of Naughty Strings", () => {
  it.skipIf(!strings)(
    `is returned unchanged as text; the empty string returns 400${skipNote(strings)}`,
    async () => {
      const outcomes = await mapConcurrently(strings!, async (text) => {
        const sent = await agent.post("/wires", { to: "#naughty", text, payload: { [text]: [text] } });
        if (sent.status !== 201) return sent.status;
        const { body } = await agent.get(`/wires/${sent.body.id}`);
        return { text: body.text_body, payload: body.payload };
      });
      const expected = strings!.map((text) => (text === "" ? 400 : { text, payload: { [text]: [text] } }));
      const right = outcomes.filter(
        (outcome, n) => JSON.stringify(outcome) === JSON.stringify(expected[n]),
      ).length;
      printSuiteResult("naughty strings as text over HTTP", strings!.length, {
        wrong: strings!.length - right,
      });
      expect(outcomes).toEqual(expected);
      expect(strings!.filter((text) => text === "")).toHaveLength(1);
    },
  );

  it.skipIf(!strings)(`causes no error as a search query${skipNote(strings)}`, async () => {
    const queries = strings!.flatMap((text) => {
      const q = encodeURIComponent(text);
      return [
        `/spaces/naughty/search?q=${q}`,
        `/search?type=handles&q=${q}`,
        `/search?type=spaces&tags=${q}`,
      ];
    });
    const statuses = await mapConcurrently(queries, async (path) => (await agent.get(path)).status);
    const wrong = queries.filter((_, n) => statuses[n] !== 200);
    printSuiteResult("naughty strings as queries over HTTP", queries.length, { wrong: wrong.length });
    expect(wrong).toEqual([]);
  });
});
