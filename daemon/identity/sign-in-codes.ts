import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE } from "../../src/kernel/clock.js";
import { digitsOf } from "../../src/kernel/ids.js";
import type { IdentityContext } from "./service.js";

/** The code changes after this time and stays valid for 10 to 15 minutes, that is, for three such steps. */
const CODE_STEP_MS = 5 * MINUTE;
const VALID_STEPS = 3;

/**
 * The codes that a sign-in requires after too many wrong passwords. They are derived from the time, so they
 * need no storage.
 */
export class SignInCodes {
  constructor(private readonly context: Pick<IdentityContext, "hmacKey" | "now">) {}

  current(email: string, isLong: boolean): string {
    return this.codeOf(email, this.step(), isLong);
  }

  /** @param isLong whether only a long code is accepted */
  matches(email: string, code: string, isLong: boolean): boolean {
    const text = Buffer.from(code.trim());
    const valid = Array.from({ length: VALID_STEPS }, (_, age) => this.step() - age).flatMap((step) => [
      this.codeOf(email, step, true),
      ...(isLong ? [] : [this.codeOf(email, step, false)]),
    ]);
    return valid.some((each) => text.length === each.length && timingSafeEqual(Buffer.from(each), text));
  }

  private step(): number {
    return Math.floor(this.context.now() / CODE_STEP_MS);
  }

  private codeOf(email: string, step: number, isLong: boolean): string {
    const kind = isLong ? "long sign-in" : "sign-in";
    const mac = createHmac("sha256", this.context.hmacKey).update(`${kind}\n${email}\n${step}`).digest();
    return isLong ? digitsOf(mac.subarray(0, 16)) : String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
  }
}
