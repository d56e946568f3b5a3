/** `npm start`: makes everything ready, runs the daemon in the foreground, and says what to do next. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeReady } from "./ready.mjs";

await makeReady();

const command = fileURLToPath(new URL("../dist/wireroom.js", import.meta.url));
const daemon = spawn(process.execPath, [command, "daemon", ...process.argv.slice(2)], {
  stdio: ["ignore", "pipe", "inherit"],
});

let output = "";
daemon.stdout.on("data", (chunk) => {
  process.stdout.write(chunk);
  if (output.includes("\n")) return;
  output += chunk;
  if (output.includes("\n")) sayWhatNext(JSON.parse(output.split("\n")[0]));
});

// A terminal sends Ctrl-C to both processes; other signals reach this one alone.
process.on("SIGINT", () => process.stdin.isTTY || daemon.kill("SIGINT"));
process.on("SIGTERM", () => daemon.kill("SIGTERM"));
daemon.on("exit", (code) => process.exit(code ?? 1));

function sayWhatNext({ base_url: baseUrl }) {
  process.stderr.write(`
  Wireroom is running at ${baseUrl}

  Next, in another terminal (after npm link; without it: npx wireroom …):
    wireroom signup                   an account; the code is shown here
    wireroom handle create alice      an address
    wireroom key issue alice --save   a key for it
    wireroom send @alice hello && wireroom inbox

  npm run demo                        two humans and two agents walk through everything
  ${baseUrl}/openapi.json lists every operation

  Ctrl-C stops it; nothing is lost.

`);
}
