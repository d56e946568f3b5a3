/**
 * The process of an attacker. Arguments: the name of the attack, and the target as JSON. The process prints a
 * line, attacks until SIGTERM, and then prints its counts as JSON. It runs at the lowest priority, because a
 * real attacker uses another machine.
 */
import { setMaxListeners } from "node:events";
import { constants, setPriority } from "node:os";
import type { Target } from "./attack.js";
import { attacks } from "./kinds/index.js";

const [name, target] = process.argv.slice(2);
const attack = attacks.find((each) => each.name === name)!;
const ending = new AbortController();
const counts: Record<string, number> = {};

setMaxListeners(0, ending.signal);
setPriority(constants.priority.PRIORITY_LOW);
// Connections that are not read do not keep the process alive, but this timer does.
setInterval(() => {}, 1_000);
process.once("SIGTERM", () => ending.abort());
process.stdout.write("ready\n");
await attack.run(JSON.parse(target!) as Target, ending.signal, (counted) => {
  counts[counted] = (counts[counted] ?? 0) + 1;
});
process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
