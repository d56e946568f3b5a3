import { createHmac, timingSafeEqual } from "node:crypto";
import { HOUR } from "../../../src/kernel/clock.js";
import { newSecret } from "../../../src/kernel/ids.js";
import type { IdentityStore } from "../identity-store.js";

/** Time for which a used token is remembered; longer than an interaction, which lasts 30 minutes. */
const MEMORY_MS = HOUR;

/** Tokens of the forms of an interaction, against forged and repeated submissions. */
export interface FormTokens {
  /**
   * Returns a token. Nothing is stored until it is used.
   * @param purpose the interaction, and what its page shows about the application
   */
  create(purpose: string): string;
  /** Returns whether a token was created for this purpose. */
  isValid(purpose: string, token: string | undefined): boolean;
  /** Uses a valid token up. Returns false if it was used before. */
  use(token: string): Promise<boolean>;
}

/** @param key HMAC key of the tokens */
export function createFormTokens(key: string, store: IdentityStore, now: () => number): FormTokens {
  const macOf = (purpose: string, nonce: string) =>
    createHmac("sha256", key).update(`form\n${nonce}\n${purpose}`).digest("base64url");

  return {
    create(purpose) {
      const nonce = newSecret();
      return `${nonce}.${macOf(purpose, nonce)}`;
    },
    isValid(purpose, token = "") {
      const [nonce = "", mac = ""] = token.split(".");
      const expected = Buffer.from(macOf(purpose, nonce));
      const given = Buffer.from(mac);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    async use(token) {
      const [nonce] = token.split(".");
      return (await store.throttle(`form:${nonce}`, [{ count: 1, window: MEMORY_MS }], now())) === 0;
    },
  };
}
