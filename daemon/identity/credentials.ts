import { invalid, type Reason, type WireroomError } from "../../src/contract/errors.js";

/** The bodies of sign-up, confirm and resend, checked. Addresses come out normalized. */

/**
 * NIST SP 800-63B, 3.1.1.2: at least 8 characters, at least 64 allowed, none forbidden, no rule of composition. 1,024 is
 * far beyond any passphrase, and bounds what one request makes the server hash.
 */
const PASSWORD = { min: 8, max: 1_024 };
/** RFC 5321, 4.5.3.1.3 (a path of 256 with its brackets). */
const EMAIL_MAX = 254;
/** What `<input type=email>` accepts (HTML standard, "valid e-mail address"): one @, no quotes, no spaces, ASCII. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Two spellings of an address that differ in case or outer space are one account. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether a normalized address can be that of an account. */
export function isEmail(email: string): boolean {
  return email.length <= EMAIL_MAX && EMAIL.test(email);
}

const CHECKS = {
  email: (value: string): Reason | undefined => {
    if (isEmail(normalizeEmail(value))) return undefined;
    return reason("email", "format", `must be an e-mail address of at most ${EMAIL_MAX} characters`);
  },
  password: (value: string): Reason | undefined => {
    if (/\p{Cs}/u.test(value)) return reason("password", "format", "must not contain lone surrogates");
    // A code point counts as one character, as in SP 800-63B; the first bound spares counting megabytes.
    const length = value.length > 2 * PASSWORD.max ? value.length : [...value].length;
    if (length < PASSWORD.min)
      return reason("password", "minLength", `must have at least ${PASSWORD.min} characters`);
    if (length > PASSWORD.max)
      return reason("password", "maxLength", `must have at most ${PASSWORD.max} characters`);
    return undefined;
  },
  code: (value: string): Reason | undefined =>
    /^\d{6}$/.test(value.trim()) ? undefined : reason("code", "pattern", "must be the 6 digits of the mail"),
};

type Field = keyof typeof CHECKS;

/** Exactly the fields named, each a string that passes its check; else 400 with a reason for each that is wrong. */
export function parseCredentials<Name extends Field>(
  body: unknown,
  fields: readonly Name[],
): Record<Name, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid({ instancePath: "", keyword: "type", message: "must be a JSON object" });
  }
  const given = body as Record<string, unknown>;
  const reasons: Reason[] = [];
  const parsed = {} as Record<Name, string>;
  for (const name of fields) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined)
      reasons.push({ instancePath: "", keyword: "required", message: `must have ${name}` });
    else if (typeof value !== "string") reasons.push(reason(name, "type", "must be a string"));
    else {
      const wrong = CHECKS[name](value);
      if (wrong) reasons.push(wrong);
      parsed[name] = name === "email" ? normalizeEmail(value) : name === "code" ? value.trim() : value;
    }
  }
  for (const name of Object.keys(given)) {
    if ((fields as readonly string[]).includes(name)) continue;
    reasons.push({
      instancePath: "",
      keyword: "additionalProperties",
      message: `must not have ${show(name)}`,
    });
  }
  if (reasons.length > 0) throw invalid(reasons.slice(0, 20));
  return parsed;
}

/** One answer for all that can be wrong with a code: wrong, expired, tried too often, no such sign-up. */
export function wrongCode(): WireroomError {
  return invalid(reason("code", "code", "is wrong or has expired: ask for a new one"));
}

function reason(field: Field, keyword: string, message: string): Reason {
  return { instancePath: `/${field}`, keyword, message };
}

function show(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
