/** Keys of well-known services and of Wireroom, private keys, and JSON Web Tokens. */
const VALUES =
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----|\b(?:sk-[\w-]{20,}|[rs]k_(?:live|test)_\w{16,}|gh[opsur]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|npm_\w{30,}|wr_\w{40,}|(?<!-)eyJ[\w-]{10,400}\.eyJ[\w-]{10,})/g;
/** Names such as `AWS_SECRET_ACCESS_KEY`, with a value. The bounds limit the time that a long word takes. */
const NAMES =
  /(?<![\w-])([\w-]{0,40}(?:secret|password|passwd|api_?key|access_?key|private_?key|auth_?token)[\w-]{0,40})[\\"']{0,2}\s{0,9}[:=]\s{0,9}(?:\\?["'][^\\"']{4,}|(?![a-z]+(?:[\s.,;!?]|$))[^\s\\"',;}]{8,})/gi;

/** A page shows them before the text, which an agent must not push away. */
const MOST = 10;

/** Returns what looks like a secret in a text or in JSON: the name that it has, or its first characters. */
export function secretsIn(text: string): readonly string[] {
  const names = [...text.matchAll(NAMES)].map(([, name]) => name!);
  const values = [...text.matchAll(VALUES)].map(([value]) => `${value.slice(0, 8)}…`);
  return [...new Set([...names, ...values])].slice(0, MOST);
}
