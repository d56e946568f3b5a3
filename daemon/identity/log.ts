/** The methods of pino's logger that the identity module uses. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Returns the name and message of an error, and its cause's message, as log fields. None of them contains the
 * input that caused the error.
 */
export function errorFields(error: unknown): { reason: string } {
  if (!(error instanceof Error)) return { reason: "unknown" };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return { reason: `${error.name}: ${error.message}${cause}` };
}
