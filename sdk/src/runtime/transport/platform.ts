/** Access to `process`, which Node, Bun, Deno and some workers have, but browsers do not. */

interface Process {
  emitWarning?(warning: string, type: string): void;
  env?: Record<string, string | undefined>;
  versions?: Record<string, string | undefined>;
}

/** Returns undefined for an empty variable, or if there is no environment. */
export function environmentVariable(name: string): string | undefined {
  return currentProcess()?.env?.[name] || undefined;
}

/** Returns the runtime's name and version, such as `node/20.19.0`, or undefined in a browser. */
export function runtimeName(): string | undefined {
  const versions = currentProcess()?.versions ?? {};
  // Check Bun and Deno first, because they also report the Node version that they are compatible with.
  const name = ["bun", "deno", "node"].find((each) => versions[each] !== undefined);
  return name && `${name}/${versions[name]}`;
}

export function emitWarning(message: string): void {
  const current = currentProcess();
  if (current?.emitWarning) current.emitWarning(message, "WireroomWarning");
  else console.warn(message);
}

function currentProcess(): Process | undefined {
  return (globalThis as { process?: Process }).process;
}
