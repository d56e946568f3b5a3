/** The part of a pino logger that this module uses, so that it can be given any. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What of an error may be logged: its name, code and message, never the input that caused it. */
export function failure(error: unknown): { reason: string } {
  if (!(error instanceof Error)) return { reason: "unknown" };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return { reason: `${error.name}: ${error.message}${cause}` };
}
