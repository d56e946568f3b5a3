import { readFile } from "node:fs/promises";
import { packageFile } from "../../src/kernel/package-file.js";

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Returns whether a password is easy to guess: a common password, or only the e-mail address or the service's
 * name, surrounded by digits or punctuation (NIST SP 800-63B, section 3.1.1.2).
 * @param email the human's normalised e-mail address
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  // Load the list only at the first sign-up, because it takes time and memory.
  common ??= loadCommonPasswords();
  const text = password.normalize("NFKC").toLowerCase();
  if ((await common).has(text)) return true;
  const letters = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return [email, email.split("@", 1)[0], "wireroom"].some((word) => text === word || letters === word);
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  return new Set((await readFile(packageFile("dist/data/common-passwords.txt"), "utf8")).split("\n"));
}
