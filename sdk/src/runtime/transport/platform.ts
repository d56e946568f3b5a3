/**
 * Access to what only some runtimes have. Node, Bun, Deno and some workers have `process`; browsers do not.
 */

interface Process {
  env?: Record<string, string | undefined>;
  versions?: Record<string, string | undefined>;
}

/**
 * Returns an environment variable. Returns undefined if it is unset or empty, or if the runtime has no
 * environment.
 */
export function environmentVariable(name: string): string | undefined {
  return currentProcess()?.env?.[name] || undefined;
}

/** Returns the name and version of the runtime, such as `node/20.19.0`. Returns undefined in a browser. */
export function runtimeName(): string | undefined {
  const versions = currentProcess()?.versions ?? {};
  // Bun and Deno also state the version of Node that they are compatible with.
  const name = ["bun", "deno", "node"].find((each) => versions[each] !== undefined);
  return name && `${name}/${versions[name]}`;
}

function currentProcess(): Process | undefined {
  return (globalThis as { process?: Process }).process;
}
