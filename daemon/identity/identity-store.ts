/**
 * What this module keeps, and what it asks of the store. Times are milliseconds since 1970. Addresses come normalized
 * (trimmed, lower case), secrets come hashed.
 */
export interface IdentityStore {
  /** The secret of that name; where there is none yet, `fresh` becomes it. Two daemons at once get the same one. */
  secret(name: string, fresh: () => Promise<string>, now: number): Promise<string>;

  userByEmail(email: string): Promise<User | undefined>;
  userById(id: string): Promise<User | undefined>;

  /** Puts a sign-up on hold until it is confirmed, in the place of an earlier one; a confirmed account is never touched. */
  holdSignUp(signUp: SignUp): Promise<"held" | "account exists">;
  /** A new code for a sign-up that is on hold; false where there is none. */
  renewCode(email: string, codeHash: string, expiresAt: number, now: number): Promise<boolean>;
  /** Turns a sign-up into an account where the code is right; else counts the try. */
  confirm(input: {
    email: string;
    codeHash: string;
    userId: string;
    maxTries: number;
    now: number;
  }): Promise<boolean>;

  /**
   * Counts an event under `key` unless one of the limits is reached. Answers 0 where it was counted, else the
   * milliseconds until it would be. `count: false` only asks.
   */
  throttle(key: string, limits: readonly Limit[], now: number, count?: boolean): Promise<number>;
  forgetThrottle(key: string): Promise<void>;

  /** Records of the OpenID provider: tokens, codes, grants, sessions, interactions. */
  saveRecord(record: ProviderRecord): Promise<void>;
  findRecord(
    model: string,
    by: { id?: string; userCode?: string; uid?: string },
  ): Promise<ProviderRecord | undefined>;
  /** Marks a record as used; false where it is gone or was used before, so that of two at once only one succeeds. */
  consumeRecord(model: string, id: string, now: number): Promise<boolean>;
  deleteRecord(model: string, id: string): Promise<void>;
  deleteRecordsOfGrant(grantId: string): Promise<void>;

  /** Deletes what has expired before `now`. */
  purge(now: number): Promise<void>;
}

export interface User {
  id: string;
  email: string;
  passwordHash: string;
}

export interface SignUp {
  email: string;
  passwordHash: string;
  codeHash: string;
  now: number;
  expiresAt: number;
}

/** At most `count` events in any `window` milliseconds. */
export interface Limit {
  count: number;
  window: number;
}

export interface ProviderRecord {
  model: string;
  id: string;
  /** JSON text. */
  payload: string;
  grantId: string | null;
  userCode: string | null;
  uid: string | null;
  consumedAt: number | null;
  expiresAt: number;
}
