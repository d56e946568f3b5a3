import { afterAll, beforeAll, expect, it } from "vitest";
import { Machine } from "../harness/machine.js";
import { codesOf, PASSWORD } from "../harness/person.js";
import { KEYS, Terminal } from "../harness/terminal.js";

let machine: Machine;

beforeAll(async () => {
  machine = await Machine.make();
});

afterAll(() => machine.end());

/** Milliseconds for all the commands of the path, on a machine that is busy with others. */
const LONG = 240_000;

it("works on an empty machine, each step saying what the next is [C-first-use]", {
  timeout: LONG,
}, async () => {
  const env = {
    WIREROOM_API_KEY: undefined,
    WIREROOM_ID_TOKEN: undefined,
    WIREROOM_URL: undefined,
    ...machine.env,
  };
  const step = async (args: string[], next?: string): Promise<string> => {
    const terminal = Terminal.wireroom(args, { env, columns: 120 });
    expect([await terminal.ended, terminal.history]).toEqual([0, expect.stringContaining(next ?? "")]);
    return terminal.history;
  };

  await step(["up"], "wireroom signup");

  const signUp = Terminal.wireroom(["signup"], { env, columns: 120 });
  await signUp.waitFor("E-mail:");
  signUp.press("ada@example.com", KEYS.enter);
  await signUp.waitFor("New password");
  signUp.press(PASSWORD, KEYS.enter);
  await signUp.waitFor("The same again");
  signUp.press(PASSWORD, KEYS.enter);
  await signUp.waitFor("wireroom logs");
  await signUp.waitFor("Code (6 digits");
  const { stdout } = await machine.run(["logs"]);
  signUp.press(codesOf(stdout, "ada@example.com").at(-1)!, KEYS.enter);
  await signUp.waitFor("wireroom handle create NAME");
  expect(await signUp.ended).toBe(0);

  await step(["handle", "create", "alice"], "wireroom key issue alice --save");
  await step(["key", "issue", "alice", "--save"], "wireroom send @alice hello");
  await step(["send", "@alice", "hello"]);
  expect(await step(["inbox"])).toContain("hello");
});
