/** The clock and the random numbers of the page. */

/** Returns milliseconds since 1970. */
export const nowMs = (): number => Date.now();

/** Returns a random text of 256 bits for a URL. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
