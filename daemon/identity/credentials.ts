import { invalid, type Reason, type WireroomError } from "../../src/contract/errors.js";
import { LONG_CODE_DIGITS } from "../../src/kernel/ids.js";
import { isCommonPassword } from "./common-passwords.js";

/** Parses the request bodies for sign-up and password changes, and normalises e-mail addresses. */

/**
 * Length of a password in characters. NIST SP 800-63B, section 3.1.1.2 requires a minimum of 8 and a maximum
 * of at least 64. The maximum limits the time for hashing.
 */
const PASSWORD_LENGTH = { min: 8, max: 1_024 };
/** Maximum length of an e-mail address (RFC 5321, section 4.5.3.1.3, without angle brackets). */
const MAX_EMAIL_LENGTH = 254;
/**
 * Matches valid e-mail addresses as defined for `<input type=email>` (HTML standard, "valid e-mail address"):
 * ASCII only, a single @, no quotes and no spaces.
 */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

const SHORT_CODE_DIGITS = 6;
const CODE = new RegExp(`^(\\d{${SHORT_CODE_DIGITS}}|\\d{${LONG_CODE_DIGITS}})$`);

export function isShortCode(code: string): boolean {
  return code.length === SHORT_CODE_DIGITS;
}

export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

export function isEmail(email: string): boolean {
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email);
}

function passwordCheck(field: Field): (value: string) => Reason | undefined {
  return (value) => {
    if (/\p{Cs}/u.test(value)) return reason(field, "format", "must not contain lone surrogates");
    // Count code points (NIST SP 800-63B), except for a very long value, which is too long in any case.
    const length = value.length > 2 * PASSWORD_LENGTH.max ? value.length : [...value].length;
    if (length < PASSWORD_LENGTH.min)
      return reason(field, "minLength", `must have at least ${PASSWORD_LENGTH.min} characters`);
    if (length > PASSWORD_LENGTH.max)
      return reason(field, "maxLength", `must have at most ${PASSWORD_LENGTH.max} characters`);
    return undefined;
  };
}

type Field = "email" | "password" | "new_password" | "code" | "secret";

type Check = (value: string) => Reason | undefined;

const checkEmail: Check = (value) => {
  if (isEmail(normalizeEmail(value))) return undefined;
  return reason("email", "format", `must be an e-mail address of at most ${MAX_EMAIL_LENGTH} characters`);
};

const CHECKS: Record<Field, Check> = {
  email: checkEmail,
  password: passwordCheck("password"),
  new_password: passwordCheck("new_password"),
  code: (value) =>
    CODE.test(value.trim())
      ? undefined
      : reason("code", "pattern", `must be 6 or ${LONG_CODE_DIGITS} digits`),
  // The form is not checked, because any wrong secret gets the same 403.
  secret: () => undefined,
};

/** The domain of local sign-ins' addresses. Nobody can own it on the internet (RFC 6761, section 6.3). */
const LOCAL_DOMAIN = "@localhost";

function isLocalEmail(value: string): boolean {
  return normalizeEmail(value).endsWith(LOCAL_DOMAIN);
}

export function parseLocalSignIn(body: unknown): Record<"secret" | "email", string> {
  const email: Check = (value) =>
    checkEmail(value) ??
    (isLocalEmail(value) ? undefined : reason("email", "format", `must end in ${LOCAL_DOMAIN}`));
  return parseCredentials(body, ["secret", "email"], { ...CHECKS, email });
}

export function parseSignUp(body: unknown): Record<"email" | "password", string> {
  const message = `must not end in ${LOCAL_DOMAIN}, which is for sign-ins on the daemon's machine: wireroom init`;
  const email: Check = (value) =>
    checkEmail(value) ?? (isLocalEmail(value) ? reason("email", "format", message) : undefined);
  return parseCredentials(body, ["email", "password"], { ...CHECKS, email });
}

/**
 * Does not check the length of the current password, because a password of any other length is simply wrong.
 */
export function parsePasswordChange(body: unknown): Record<"email" | "password" | "new_password", string> {
  return parseCredentials(body, ["email", "password", "new_password"], {
    ...CHECKS,
    password: () => undefined,
  });
}

export function parseCredentials<Name extends Field>(
  body: unknown,
  fields: readonly Name[],
  checks = CHECKS,
): Record<Name, string> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid({ instancePath: "", keyword: "type", message: "must be a JSON object" });
  }
  const input = body as Record<string, unknown>;
  const reasons: Reason[] = [];
  const parsed = {} as Record<Name, string>;
  for (const name of fields) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined)
      reasons.push({
        instancePath: "",
        keyword: "required",
        message: `the field ${JSON.stringify(name)} is required`,
      });
    else if (typeof value !== "string") reasons.push(reason(name, "type", "must be a string"));
    else {
      const wrong = checks[name](value);
      if (wrong) reasons.push(wrong);
      parsed[name] = name === "email" ? normalizeEmail(value) : name === "code" ? value.trim() : value;
    }
  }
  for (const name of Object.keys(input)) {
    if ((fields as readonly string[]).includes(name)) continue;
    reasons.push({
      instancePath: "",
      keyword: "additionalProperties",
      message: `unknown field ${JSON.stringify(shortened(name))}`,
    });
  }
  if (reasons.length > 0) throw invalid(reasons.slice(0, 20));
  return parsed;
}

/**
 * Returns the 400 error for a wrong code. An unknown address causes the same error, so that nobody can find
 * out which addresses have an account.
 * @param why other possible causes, inserted into the message
 */
export function invalidCode(why = ""): WireroomError {
  return invalid(reason("code", "code", `is wrong or has expired${why}; request a new code`));
}

export async function assertUncommon(field: Field, password: string, email: string): Promise<void> {
  if (!(await isCommonPassword(password, email))) return;
  throw invalid(reason(field, "common", "is a common password, or easy to guess; choose another one"));
}

function reason(field: Field, keyword: string, message: string): Reason {
  return { instancePath: `/${field}`, keyword, message };
}

function shortened(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
