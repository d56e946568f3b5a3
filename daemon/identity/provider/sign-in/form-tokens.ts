import { createHmac, timingSafeEqual } from "node:crypto";
import { HOUR } from "../../../../src/kernel/clock.js";
import { newSecret } from "../../../../src/kernel/ids.js";
import type { IdentityContext } from "../../service.js";

/** A used token is remembered for longer than an interaction, which lasts 30 minutes. */
const MEMORY_MS = HOUR;

/** Issues tokens for an interaction's forms, as protection against forged and repeated submissions. */
export class FormTokens {
  constructor(private readonly context: IdentityContext) {}

  /**
   * Returns a new token. Nothing is stored until the token is used.
   * @param purpose identifies the interaction and the application data that its page shows
   */
  create(purpose: string): string {
    const nonce = newSecret();
    return `${nonce}.${this.macOf(purpose, nonce)}`;
  }

  isValid(purpose: string, token = ""): boolean {
    const [nonce = "", mac = ""] = token.split(".");
    const expected = Buffer.from(this.macOf(purpose, nonce));
    const given = Buffer.from(mac);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /** Returns false if the token was already used. */
  async use(token: string): Promise<boolean> {
    const { store, now } = this.context;
    const [nonce] = token.split(".");
    return (await store.throttle(`form:${nonce}`, [{ count: 1, window: MEMORY_MS }], now())) === 0;
  }

  private macOf(purpose: string, nonce: string): string {
    const { hmacKey } = this.context;
    return createHmac("sha256", hmacKey).update(`form\n${nonce}\n${purpose}`).digest("base64url");
  }
}
