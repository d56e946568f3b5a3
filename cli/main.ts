#!/usr/bin/env node
/** The command `wireroom`. */
import { CommanderError } from "commander";
import { EXIT } from "./exit-codes.js";
import { buildProgram } from "./program.js";

try {
  await buildProgram().parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
}
