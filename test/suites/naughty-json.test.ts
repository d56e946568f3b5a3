import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printSuiteResult, readSuite, SUITES, skipNote } from "../harness/conformance-suites.js";
import {
  type AgentClient,
  type Body,
  NO_LIMITS_FEW_LOGS,
  startDaemon,
  type TestDaemon,
} from "../harness/daemon.js";
import { mapConcurrently } from "../harness/map-concurrently.js";

interface Case {
  file: string;
  base64?: string;
  expect: number | number[];
  lossy: boolean;
}

const cases = readSuite<{ cases: Case[] }>("naughty/jsontestsuite.manifest.json")?.cases;

/**
 * Cases whose result differs from the manifest, because a duplicate key is rejected
 * (docs/specification/requests.md#json).
 */
const DUPLICATE_KEYS = [
  "test_parsing/y_object_duplicated_key.json",
  "test_parsing/y_object_duplicated_key_and_value.json",
];

let daemon: TestDaemon;
let sender: AgentClient;
let receiver: AgentClient;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS_FEW_LOGS });
  sender = await daemon.createAgent("sender");
  receiver = await daemon.createAgent("receiver");
});
afterAll(() => daemon.stop());

const bytesOf = ({ base64, file }: Case) =>
  base64 === undefined ? readFileSync(join(SUITES, "naughty", file)) : Buffer.from(base64, "base64");

interface Answer {
  status: number;
  body: Body;
}

/** Sends these bytes as the body of a request. */
async function postBytes(bytes: Buffer): Promise<Answer> {
  const headers = { authorization: `Bearer ${sender.key}`, "content-type": "application/json" };
  const response = await fetch(`${daemon.base}/wires`, {
    method: "POST",
    headers,
    body: new Uint8Array(bytes),
  });
  return { status: response.status, body: await response.json() };
}

const asPayload = (bytes: Buffer) =>
  postBytes(Buffer.concat([Buffer.from('{"to":"@receiver","text":"t","payload":'), bytes, Buffer.from("}")]));

let answers: Promise<Answer[]> | undefined;

/** Returns the responses to all cases, which are sent only once. */
function sendAllAsPayloads(): Promise<Answer[]> {
  answers ??= mapConcurrently(cases!, (one) => asPayload(bytesOf(one)));
  return answers;
}

/** Normalises a number to its digits and exponent, so that different notations are equal. */
function normaliseNumber(number: string): string {
  const [, sign, whole = "", fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(
    number,
  )!;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${exponent}`;
}

/** Returns the numbers in a JSON text without digits in strings. */
const numbersOf = (json: string) =>
  (json.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? []).map(normaliseNumber);

describe("JSONTestSuite", () => {
  it.skipIf(!cases)(`has the results of its manifest if a case is a payload${skipNote(cases)}`, async () => {
    const all = cases!;
    const answers = await sendAllAsPayloads();
    const wrong = all.filter((one, n) => ![one.expect].flat().includes(answers[n]!.status));
    const explained = wrong.filter(({ file }) => DUPLICATE_KEYS.includes(file)).length;
    printSuiteResult("JSONTestSuite as a payload over HTTP", all.length, {
      "duplicate keys rejected": explained,
      wrong: wrong.length - explained,
    });
    expect(wrong.map(({ file }) => file).sort()).toEqual(DUPLICATE_KEYS);
    for (const one of wrong) expect(answers[all.indexOf(one)]).toMatchObject({ status: 400 });
    for (const { status, body } of answers) {
      if (status !== 201) expect(body).toMatchObject({ code: "VALIDATION_ERROR", errors: [{}] });
    }
  });

  it.skipIf(!cases)(`is returned unchanged if it is accepted${skipNote(cases)}`, async () => {
    const changed: string[] = [];
    let stored = 0;
    const answers = await sendAllAsPayloads();
    await mapConcurrently(cases!, async (one, n) => {
      const sent = answers[n]!;
      if (sent.status !== 201) return;
      stored++;
      const response = await fetch(`${daemon.base}/wires/${sent.body.id}`, {
        headers: { authorization: `Bearer ${receiver.key}` },
      });
      const text = await response.text();
      const payload = JSON.stringify((JSON.parse(text) as Body).payload);
      const given = bytesOf(one).toString("utf8");
      const same = one.lossy
        ? numbersOf(payload).join() === numbersOf(given).join()
        : payload === JSON.stringify(JSON.parse(given));
      if (!same) changed.push(`${one.file}: ${given.slice(0, 60)} became ${payload.slice(0, 60)}`);
    });
    console.log(`JSONTestSuite, stored over HTTP: ${stored - changed.length} of ${stored} as they were sent`);
    expect(stored).toBeGreaterThan(90);
    expect(changed).toEqual([]);
  });

  it.skipIf(!cases)(
    `is rejected as a complete body, because no case is a wire${skipNote(cases)}`,
    async () => {
      const answers = await mapConcurrently(cases!, (one) => postBytes(bytesOf(one)));
      const wrong = cases!.filter((_, n) => answers[n]!.status !== 400);
      printSuiteResult("JSONTestSuite as a body over HTTP", cases!.length, { otherwise: wrong.length });
      expect(wrong.map(({ file }) => file)).toEqual([]);
      for (const { body } of answers) expect(body.code).toBe("VALIDATION_ERROR");
    },
  );
});
