export type SecurityHeaders = readonly [name: string, value: string][];

/**
 * Every response's default headers, from the OWASP HTTP Headers Cheat Sheet. They forbid everything, because
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
 * If the origin uses https, browsers must use only https. Subdomains are excluded, because someone else may
 * own them.
 */
export function securityHeaders(baseUrl: string): SecurityHeaders {
  return baseUrl.startsWith("https:") ? [...HEADERS, HSTS] : HEADERS;
}
