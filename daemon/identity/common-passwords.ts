/** Minimum length of the passwords in the list. The identity provider rejects shorter ones anyway. */
const MIN_LENGTH = 8;

let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Returns whether a password is easy to guess: a common one, or only the e-mail address or the name of the
 * service with digits or signs around it (NIST SP 800-63B, section 3.1.1.2).
 * @param email the normalised address of the human
 */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  // Loaded by the first sign-up: the list takes 50 ms and 5 MB.
  common ??= loadCommonPasswords();
  const text = password.normalize("NFKC").toLowerCase();
  if ((await common).has(text)) return true;
  const letters = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return [email, email.split("@", 1)[0], "wireroom"].some((word) => text === word || letters === word);
}

async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter(({ length }) => length >= MIN_LENGTH));
}
