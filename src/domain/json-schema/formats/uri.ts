import { isIpv6 } from "./address.js";

/** Splits a URI reference into its parts (RFC 3986, appendix B). Matches every text in linear time. */
const PARTS = /^(?:([^:/?#]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;
const FUTURE = /^v[0-9a-f]+\.[a-z0-9._~!$&'()*+,;=:-]+$/i;

/** Characters that are valid in an IRI but not in a URI: `ucschar` and `iprivate` (RFC 3987). */
const UCS =
  "\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}" +
  Array.from(
    { length: 14 },
    (_, plane) => `\\u{${(plane + 1).toString(16)}0000}-\\u{${(plane + 1).toString(16)}fffd}`,
  ).join("");
const PRIVATE = "\\u{e000}-\\u{f8ff}\\u{f0000}-\\u{ffffd}\\u{100000}-\\u{10fffd}";

function characters(more: string, international: string): RegExp {
  return new RegExp(`^(?:[A-Za-z0-9._~!$&'()*+,;=${more}${international}\\-]|%[0-9A-Fa-f]{2})*$`, "u");
}

interface Grammar {
  userinfo: RegExp;
  name: RegExp;
  path: RegExp;
  query: RegExp;
  fragment: RegExp;
}

function grammar(ucs: string, iprivate: string): Grammar {
  return {
    userinfo: characters(":", ucs),
    name: characters("", ucs),
    path: characters(":@\\/", ucs),
    query: characters(":@\\/?", ucs + iprivate),
    fragment: characters(":@\\/?", ucs),
  };
}

const URI = grammar("", "");
const IRI = grammar(UCS, PRIVATE);

/**
 * Returns whether a text is a `URI` of RFC 3986, or an `IRI` of RFC 3987 if `international` is true. A
 * fragment is allowed.
 */
export function isUri(text: string, international: boolean): boolean {
  return /^[^:/?#]+:/.test(text) && isUriReference(text, international);
}

/**
 * Returns whether a text is a `URI-reference` of RFC 3986, or an `IRI-reference` of RFC 3987 if
 * `international` is true.
 */
export function isUriReference(text: string, international: boolean): boolean {
  const rules = international ? IRI : URI;
  const [, scheme, authority, path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
  if (scheme !== undefined && !SCHEME.test(scheme)) return false;
  if (authority !== undefined && !isAuthority(authority, rules)) return false;
  return rules.path.test(path) && rules.query.test(query) && rules.fragment.test(fragment);
}

function isAuthority(authority: string, rules: Grammar): boolean {
  const at = authority.lastIndexOf("@");
  if (at >= 0 && !rules.userinfo.test(authority.slice(0, at))) return false;
  const hostAndPort = authority.slice(at + 1);
  const host = hostAndPort.replace(/:\d*$/, "");
  if (!host.startsWith("[")) return rules.name.test(host);
  const inside = host.slice(1, -1);
  return host.endsWith("]") && (isIpv6(inside) || FUTURE.test(inside));
}

const VARIABLE = "(?:\\w|%[0-9A-Fa-f]{2})(?:\\.?(?:\\w|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{0,3}|\\*)?";
const TEMPLATE = new RegExp(
  `^(?:[^\\0-\\x20"%<>\\\\^\`{|}\\x7f-\\x9f]|%[0-9A-Fa-f]{2}|\\{[+#./;?&=,!@|]?${VARIABLE}(?:,${VARIABLE})*\\})*$`,
  "u",
);

/**
 * Returns whether a text is a URI template of RFC 6570. An apostrophe is allowed in literals (erratum 6937).
 */
export function isUriTemplate(text: string): boolean {
  return TEMPLATE.test(text);
}

const URL_START = /^(?:https?|ftp):\/\//i;
const LABEL = "(?:[a-z0-9\\u{a1}-\\u{ffff}]+-)*[a-z0-9\\u{a1}-\\u{ffff}]+";
const PUBLIC_IPV4 =
  "(?!(?:10|127)(?:\\.\\d{1,3}){3})(?!(?:169\\.254|192\\.168)(?:\\.\\d{1,3}){2})(?!172\\.(?:1[6-9]|2\\d|3[0-1])(?:\\.\\d{1,3}){2})" +
  "(?:[1-9]\\d?|1\\d\\d|2[01]\\d|22[0-3])(?:\\.(?:1?\\d{1,2}|2[0-4]\\d|25[0-5])){2}(?:\\.(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-4]))";
const URL_HOST = new RegExp(
  `(?:${PUBLIC_IPV4}|${LABEL}(?:\\.${LABEL})*\\.[a-z\\u{a1}-\\u{ffff}]{2,})(?::\\d{2,5})?(?:/|$)`,
  "iuy",
);

/**
 * Returns whether a text is the URL of a public host, as ajv-formats defines `url`. The regular expression of
 * ajv-formats backtracks far too long on a run of colons. This function does not backtrack, because it
 * matches the host only at the start and after each `@`.
 */
export function isUrl(text: string): boolean {
  const start = URL_START.exec(text)?.[0].length;
  if (start === undefined || /\s/.test(text)) return false;
  for (let at = start; ; at = text.indexOf("@", at) + 1) {
    URL_HOST.lastIndex = at;
    if (at !== start + 1 && URL_HOST.test(text)) return true;
    if (!text.includes("@", at)) return false;
  }
}
