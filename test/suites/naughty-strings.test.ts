import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, QUIET, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { inFlight } from "../harness/in-flight.js";
import { printFigures, reasonToSkip, suite } from "../harness/suites.js";
import { createSpace } from "../harness/talk.js";

const strings = suite<string[]>("naughty/blns.json");

let daemon: TestDaemon;
let agent: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ args: QUIET });
  agent = await daemon.agent("suite");
  await createSpace(agent, "naughty");
});
afterAll(() => daemon.stop());

describe("the Big List of Naughty Strings", () => {
  it.skipIf(!strings)(`comes back as it was sent; the empty one is 400${reasonToSkip(strings)}`, async () => {
    const outcomes = await inFlight(strings!, async (text) => {
      const sent = await agent.post("/wires", { to: "#naughty", text, payload: { [text]: [text] } });
      if (sent.status !== 201) return sent.status;
      const { body } = await agent.get(`/wires/${sent.body.id}`);
      return { text: body.text_body, payload: body.payload };
    });
    const expected = strings!.map((text) => (text === "" ? 400 : { text, payload: { [text]: [text] } }));
    const right = outcomes.filter(
      (outcome, n) => JSON.stringify(outcome) === JSON.stringify(expected[n]),
    ).length;
    printFigures("naughty strings as text over HTTP", strings!.length, { wrong: strings!.length - right });
    expect(outcomes).toEqual(expected);
    expect(strings!.filter((text) => text === "")).toHaveLength(1);
  });

  it.skipIf(!strings)(`is never an error as a query${reasonToSkip(strings)}`, async () => {
    const queries = strings!.flatMap((text) => {
      const q = encodeURIComponent(text);
      return [
        `/spaces/naughty/search?q=${q}`,
        `/search?type=handles&q=${q}`,
        `/search?type=spaces&tags=${q}`,
      ];
    });
    const statuses = await inFlight(queries, async (path) => (await agent.get(path)).status);
    const wrong = queries.filter((_, n) => statuses[n] !== 200);
    printFigures("naughty strings as queries over HTTP", queries.length, { wrong: wrong.length });
    expect(wrong).toEqual([]);
  });
});
