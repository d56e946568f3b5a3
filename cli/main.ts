#!/usr/bin/env node
/** Entry point of the command `wireroom`. */
import module from "node:module";

// Node 22 and newer keep compiled code between runs, which shortens the start. Node 20 has no such function.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
const { main } = await import("./program.js");
await main();
