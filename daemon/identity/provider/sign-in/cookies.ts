/**
 * Returns the prefix of cookie names: `__Secure-` over https, otherwise empty (RFC 6265bis, section 4.1.3.1).
 */
export function cookiePrefix(publicOrigin: string): string {
  return publicOrigin.startsWith("https:") ? "__Secure-" : "";
}
