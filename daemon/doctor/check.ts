/** What the doctor says of one thing. */
export interface Check {
  name: string;
  /** `warn`: it works, but should be looked at; `fail`: it does not, or will not for long. */
  status: "ok" | "warn" | "fail";
  message: string;
  /** What to do about it. */
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

/** The message of anything that was thrown; that of its cause where it says more (`fetch failed`). */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}
