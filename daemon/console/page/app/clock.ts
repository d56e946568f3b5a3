/** The only module of the page that reads the clock and generates random values. */

export const nowMs = (): number => Date.now();

/** Returns 256 random bits as URL-safe text. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
