/** The methods of pino's logger that the identity module uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Returns an error as log fields. They never contain the input that caused the error. */
export function errorFields(error: unknown): { reason: string } {
  if (!(error instanceof Error)) return { reason: "unknown" };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return { reason: `${error.name}: ${error.message}${cause}` };
}
