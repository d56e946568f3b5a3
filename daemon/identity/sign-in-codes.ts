import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE } from "../../src/kernel/clock.js";

/** A code changes with every step, and is valid until the second step after it ends: for 10 to 15 minutes. */
const CODE_STEP_MS = 5 * MINUTE;
const VALID_STEPS = 3;

/** The codes that a sign-in needs after too many wrong passwords. They are derived from the time, and not stored. */
export interface SignInCodes {
  /** Returns the code that is mailed now. */
  current(email: string): string;
  matches(email: string, code: string): boolean;
}

/** @param codeKey HMAC key of the codes */
export function createSignInCodes(codeKey: string, now: () => number): SignInCodes {
  const codeOf = (email: string, step: number) => {
    const mac = createHmac("sha256", codeKey).update(`sign-in\n${email}\n${step}`).digest();
    return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
  };
  const currentStep = () => Math.floor(now() / CODE_STEP_MS);

  return {
    current: (email) => codeOf(email, currentStep()),
    matches(email, code) {
      const steps = Array.from({ length: VALID_STEPS }, (_, age) => currentStep() - age);
      const text = Buffer.from(code.trim());
      return steps.some(
        (step) => text.length === 6 && timingSafeEqual(Buffer.from(codeOf(email, step)), text),
      );
    },
  };
}
