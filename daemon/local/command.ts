/** The program `wireroom`. */
import { packageFile } from "../../src/kernel/package-file.js";

/** Path of the built CLI, which Node runs. */
export const COMMAND = packageFile("dist/cli/main.js");
