/**
 * Handles sign-ups at the embedded identity provider. A sign-up is identified by address and password. If a
 * stranger signs up with someone else's address, the owner's code does not confirm the stranger's password.
 * Results and timing are the same for addresses with and without an account
 * (docs/specification/identity.md#sign-up).
 */
import { createHmac } from "node:crypto";
import { WireroomError } from "../../../src/contract/errors.js";
import { newId } from "../../../src/kernel/ids.js";
import { assertUncommon, invalidCode, isShortCode } from "../credentials.js";
import type { Passwords } from "../passwords.js";
import type { IdentityContext } from "../service.js";
import { assertMayTryCode, tooManyCodes, wrongCodes } from "./codes.js";
import type { MailQueue } from "./mail-queue.js";

interface SignUp {
  email: string;
  password: string;
  source: string;
}

export class SignUps {
  constructor(
    private readonly context: IdentityContext,
    private readonly passwords: Passwords,
    private readonly mails: MailQueue,
  ) {}

  /**
   * Begins a sign-up, or requests another code for the sign-up with the same password. Returns the sign-up's
   * id, which may leave the daemon only in a signed cookie.
   */
  async signUp(input: SignUp): Promise<string> {
    const { email, password, source } = input;
    await assertUncommon("password", password, email);
    const holder = await this.hash(input);
    return this.mails.request({ purpose: "sign-up", email, holder, source });
  }

  /**
   * Creates a sign-up's account, and returns the user's id. Throws VALIDATION_ERROR if the code is wrong.
   * @param localUserId a user without a password, who gets the address and password instead
   */
  async confirm(input: SignUp & { code: string; localUserId: string | undefined }): Promise<string> {
    const { store } = this.context;
    const { email, code, source, localUserId } = input;
    if (localUserId !== undefined && (await store.userById(localUserId))?.passwordHash !== "")
      throw new WireroomError("FORBIDDEN", "the account already has an address and a password");
    await assertMayTryCode(this.context, source);
    const holder = await this.hash(input);
    const signUp = await store.findRequest({ email, purpose: "sign-up", holder });
    return this.confirmById({ id: signUp?.id ?? newId(), code, source, localUserId });
  }

  /** Creates a sign-up's account like `confirm`. Only the browser that signed up has the id. */
  async confirmById(input: {
    id: string;
    code: string;
    source: string;
    localUserId?: string | undefined;
  }): Promise<string> {
    const { store, log, now } = this.context;
    const { id, code, source, localUserId } = input;
    const user = await store.confirmSignUp({
      ...{ id, userId: localUserId ?? newId(), isExisting: localUserId !== undefined },
      ...{ codeHash: this.mails.hashOf(code), isShort: isShortCode(code) },
      ...{ throttle: wrongCodes(source), now: now() },
    });
    if (!user) throw invalidCode(", or the password is not the one of the sign-up");
    if ("waitMs" in user) throw tooManyCodes(user);
    log.info({ event: "account.confirmed", user: user.id, source }, "account confirmed");
    return user.id;
  }

  private hash({ email, password, source }: SignUp): Promise<string> {
    const { throttle, hmacKey } = this.context;
    // Derive the salt from the address, so that a single hash is enough to find the sign-up.
    const salt = createHmac("sha256", hmacKey).update(`salt\n${email}`).digest().subarray(0, 16);
    return this.passwords.run(throttle.turnOf(source, email), (hasher) => hasher.hash(password, salt));
  }
}
