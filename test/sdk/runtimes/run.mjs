/**
 * Runs the exercise in a command-line runtime. Usage: `run.mjs SETTINGS`, with the settings as JSON. Prints
 * the results as JSON.
 */
import { exercise } from "./exercise.mjs";

const results = await exercise(JSON.parse(process.argv[2]));
console.log(JSON.stringify({ ...results, entry: import.meta.resolve("@wireroom/sdk").split("/").at(-1) }));
