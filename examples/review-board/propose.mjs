/** Proposes something: node propose.mjs TITLE COST */
import { SchemaValidationFailedError, Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
const [title, cost] = process.argv.slice(2);
try {
  const { id } = await wr.wires.send({ to: "#proposals", payload: { title, cost: Number(cost) } });
  console.log(id);
} catch (error) {
  if (!(error instanceof SchemaValidationFailedError)) throw error;
  // Nothing was posted. An agent can correct the payload, because the error says what is wrong.
  for (const { instancePath, message } of error.errors) console.error(`${instancePath} ${message}`);
  process.exitCode = 1;
}
