import { invalid } from "../../../src/contract/errors.js";
import { assertUncommon, invalidCode, isShortCode } from "../credentials.js";
import type { Passwords } from "../passwords.js";
import type { IdentityContext } from "../service.js";
import { type SignIn, wrongPasswordsKey } from "../sign-in.js";
import { assertMayTryCode, tooManyCodes, wrongCodes } from "./codes.js";
import type { MailQueue } from "./mail-queue.js";

/**
 * Resets and changes passwords (docs/specification/identity.md#passwords). Results and timing are the same
 * for addresses with and without an account.
 */
export class PasswordChanges {
  constructor(
    private readonly context: IdentityContext,
    private readonly passwords: Passwords,
    private readonly signIn: SignIn,
    private readonly mails: MailQueue,
  ) {}

  async forgot({ email, source }: { email: string; source: string }): Promise<void> {
    await this.mails.request({ purpose: "reset", email, holder: source, source });
  }

  /** Throws VALIDATION_ERROR if the code is wrong. */
  async reset(input: { email: string; code: string; password: string; source: string }): Promise<void> {
    const { store, log, now } = this.context;
    const { email, code, password, source } = input;
    await assertUncommon("password", password, email);
    await assertMayTryCode(this.context, source);
    // Hash first, because the code must not be used up if hashing is refused.
    const passwordHash = await this.hash(password, email, source);
    const result = await store.resetPassword({
      ...{ email, source, passwordHash, codeHash: this.mails.hashOf(code), isShort: isShortCode(code) },
      ...{ throttle: wrongCodes(source), now: now() },
    });
    if (result === false) throw invalidCode();
    if (result !== true) throw tooManyCodes(result);
    await store.resetThrottle(wrongPasswordsKey(email));
    const user = await store.userByEmail(email);
    log.info({ event: "password.reset", user: user?.id, source }, "new password set with a code");
    await this.mails.send(email);
  }

  /** Throws VALIDATION_ERROR if the address or old password is wrong. */
  async change(input: {
    email: string;
    password: string;
    newPassword: string;
    source: string;
    isSignedIn: boolean;
    /** The grant of the caller's own session, which stays valid. */
    keptGrantId?: string | undefined;
  }): Promise<void> {
    const { store, log, now } = this.context;
    const { email, password, newPassword, source, isSignedIn, keptGrantId } = input;
    await assertUncommon("new_password", newPassword, email);
    const result = await this.signIn({ email, password, source, isSignedIn });
    if (!result.user) throw result.needsCode ? codeNeeded() : wrongPassword();
    const { user } = result;
    const isDone = await store.changePassword({
      ...{ email, oldHash: user.passwordHash, keptGrantId, now: now() },
      passwordHash: await this.hash(newPassword, email, source),
    });
    // Another request has changed the password meanwhile.
    if (!isDone) throw wrongPassword();
    log.info({ event: "password.changed", user: user.id, source }, "new password set with the old one");
    await this.mails.send(email);
  }

  private hash(password: string, email: string, source: string): Promise<string> {
    const turn = this.context.throttle.turnOf(source, email);
    return this.passwords.run(turn, (hasher) => hasher.hash(password));
  }
}

function codeNeeded() {
  return invalid({
    instancePath: "/password",
    keyword: "code",
    message:
      "is not enough after too many wrong ones; sign in with the mailed code first, or reset the password",
  });
}

function wrongPassword() {
  return invalid({
    instancePath: "/password",
    keyword: "password",
    message: "is wrong, or the address has no account",
  });
}
