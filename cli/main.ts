#!/usr/bin/env node
/** The command `wireroom`. */
import { CommanderError } from "commander";
import { EXIT } from "./exit-codes.js";
import { buildProgram } from "./program.js";

// Views and questions end by themselves where they take the keys; everything else has nothing to tidy up.
process.once("SIGINT", () => process.exit(EXIT.interrupted));

try {
  await buildProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
