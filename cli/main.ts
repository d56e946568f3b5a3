#!/usr/bin/env node
/** The command `wireroom`. */
import module from "node:module";

// Kept between runs by Node 22 and newer, so that each does not compile the same files again.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { main } = await import("./program.js");
await main();
