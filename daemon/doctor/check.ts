/** Result of one `wireroom doctor` check. */
export interface Check {
  name: string;
  /** `warn`: the daemon works, but needs attention. `fail`: it does not work or will soon stop working. */
  status: "ok" | "warn" | "fail";
  message: string;
  /** A command or short instruction that fixes the problem. */
  mend?: string;
}

export function ok(name: string, message: string): Check {
  return { name, status: "ok", message };
}

export function warn(name: string, message: string, mend: string): Check {
  return { name, status: "warn", message, mend };
}

export function fail(name: string, message: string, mend: string): Check {
  return { name, status: "fail", message, mend };
}

/** Returns the message of the error's cause if it has one: `fetch failed` alone does not help. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
