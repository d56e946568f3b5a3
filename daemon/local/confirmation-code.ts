import { allLines } from "./follow.js";

/** Messages of log lines that contain a code. `daemon/identity/registration/mail.ts` writes them. */
export type CodeMessage = "confirmation code" | "password reset code";

/**
 * Returns the latest code that a daemon without a mail server logged for an address. Returns undefined if the
 * log has no such code.
 * @param since time in milliseconds since 1970; earlier codes are skipped
 */
export async function latestCode(
  logFile: string,
  message: CodeMessage,
  email: string,
  since = 0,
): Promise<string | undefined> {
  const address = email.trim().toLowerCase();
  let latest: string | undefined;
  for await (const line of allLines(logFile)) {
    // Skip other lines without parsing their JSON.
    if (!line.includes(message)) continue;
    const entry = parsed(line);
    if (entry?.msg !== message || entry.email !== address || typeof entry.code !== "string") continue;
    if (Date.parse(String(entry.time)) >= since) latest = entry.code;
  }
  return latest;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
