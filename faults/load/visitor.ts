/**
 * A process that connects and disconnects all the time. Arguments: the port, the seed, and the connections
 * per second. On SIGTERM, it prints the number of its connections.
 */
import { connect } from "node:net";
import { Random } from "../../bench/data/random.js";

const [port = 0, seed = 0, perSecond = 0] = process.argv.slice(2).map(Number);
const random = new Random(seed);
/** Maximum number of open connections. */
const MOST_OPEN = 500;
const TICK_MS = 10;

let visits = 0;
let open = 0;
const startedAt = performance.now();

process.on("SIGTERM", () => {
  process.stdout.write(`${visits}\n`, () => process.exit(0));
});
setInterval(() => {
  const due = Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond);
  for (let n = Math.min(due - visits, (perSecond * TICK_MS) / 500); n > 0 && open < MOST_OPEN; n--) visit();
}, TICK_MS);

/** Connects, sends a request, half of a request or nothing, and disconnects. */
function visit(): void {
  const kind = random.below(4);
  const socket = connect(port, "127.0.0.1");
  open++;
  socket.on("error", () => {});
  socket.once("close", () => open--);
  socket.once("connect", () => {
    visits++;
    if (kind === 0) socket.destroy();
    else if (kind === 1) socket.end("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    else if (kind === 2) {
      socket.write("POST /v1/wires HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{", () =>
        socket.destroy(),
      );
    } else socket.resetAndDestroy();
  });
  socket.resume();
}
