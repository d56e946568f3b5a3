/** The official client 1.x. */
import { connectLegacy } from "./legacy.mjs";
import { exercise } from "./official.mjs";

await exercise(await connectLegacy());
