/** The option `--jq`. Loads jq, compiled to WebAssembly, only if the option is used. */
import { JqError, loadJq } from "jq-wasm";
import { Failure } from "../../failure.js";
import { jsonText, safe } from "../safe.js";
import { HAS_RUN } from "./fields.js";

/** Returns the expression's results, one per line: strings as they are, any other value as JSON. */
export type JsonFilter = (value: unknown, indent?: number) => string;

/** @throws Failure USAGE if the expression is not valid */
export async function loadFilter(expression: string): Promise<JsonFilter> {
  const jq = await loadJq();
  // Run jq without input, because this only checks the expression.
  const { exitCode, stderr } = jq.raw("", expression);
  if (exitCode !== 0) throw new Failure("USAGE", `--jq is not a valid expression: ${reasonOf(stderr)}`);
  return (value, indent) => {
    try {
      const results = jq.json(value as object, expression);
      return results
        .map((each) => `${typeof each === "string" ? safe(each) : jsonText(each, indent)}\n`)
        .join("");
    } catch (error) {
      if (!(error instanceof JqError)) throw error;
      throw new Failure(
        "USAGE",
        `--jq fails for the result of the command: ${reasonOf(error.stderr)}. ${HAS_RUN}`,
      );
    }
  };
}

function reasonOf(stderr: string): string {
  const [first = ""] = stderr.split("\n");
  return safe(first.replace(/^jq: error:? ?(\(at [^)]*\): )?/, "").replace(/:$/, ""));
}
