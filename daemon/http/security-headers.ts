export type SecurityHeaders = readonly [name: string, value: string][];

/**
 * Default headers of every response, from the OWASP HTTP Headers Cheat Sheet. They forbid everything, because
 * the API is not meant for browsers. The identity provider's pages replace some of them.
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
 * Returns the security headers of every response. With an https origin, they tell browsers to use only https.
 * Subdomains are excluded, because the daemon does not know who owns them.
 */
export function securityHeaders(baseUrl: string): SecurityHeaders {
  return baseUrl.startsWith("https:") ? [...HEADERS, HSTS] : HEADERS;
}
