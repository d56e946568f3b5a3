export type SecurityHeaders = readonly [name: string, value: string][];

/**
 * Headers of every response, from the OWASP HTTP Headers Cheat Sheet, because the API is not meant for
 * browsers. The pages of the identity provider replace some of them.
 */
const HEADERS: SecurityHeaders = [
  ["Cache-Control", "no-store"],
  ["Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'"],
  ["Referrer-Policy", "no-referrer"],
  ["X-Content-Type-Options", "nosniff"],
];

/** One year (OWASP ASVS 5.0, requirement 3.4.1). */
const HSTS: [name: string, value: string] = ["Strict-Transport-Security", "max-age=31536000"];

/**
 * Returns the security headers of every response. Under an https origin they tell browsers to use https only.
 * Subdomains are not included, because the daemon does not know who owns them.
 */
export function securityHeaders(baseUrl: string): SecurityHeaders {
  return baseUrl.startsWith("https:") ? [...HEADERS, HSTS] : HEADERS;
}
