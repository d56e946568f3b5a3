/** Asks @expert, and prints the answer. */
import { NoReplyError, Wireroom } from "@wireroom/sdk";

const wr = new Wireroom();
try {
  const reply = await wr.wires.ask(
    { to: "@expert", text: "How tall is the Eiffel Tower?" },
    { timeout: 60_000 },
  );
  console.log(reply.text_body);
} catch (error) {
  if (!(error instanceof NoReplyError)) throw error;
  // The question stays in the inbox of @expert. A late answer comes to the inbox.
  console.error(`no answer yet to ${error.wire.id}`);
  process.exitCode = 1;
}
