/** Result of one check of `wireroom doctor`. */
export interface Check {
  name: string;
  /** `warn`: the daemon works, but needs attention. `fail`: it does not work, or will soon stop. */
  status: "ok" | "warn" | "fail";
  message: string;
  /** How to fix the problem: a command or a short instruction. Absent if the status is `ok`. */
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

/** Returns the message of an error, or of its cause, because `fetch failed` does not help. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
