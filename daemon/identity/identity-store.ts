/**
 * Database access of the embedded identity provider, implemented in src/store. All times are milliseconds
 * since 1970. Callers must pass normalised e-mail addresses and hashed secrets.
 */
export interface IdentityStore {
  /**
   * Returns the named secret. If it does not exist, stores and returns the result of `create`. Concurrent
   * daemons get the same secret.
   */
  getOrCreateSecret(name: string, create: () => Promise<string>, now: number): Promise<string>;

  userByEmail(email: string): Promise<User | undefined>;
  userById(id: string): Promise<User | undefined>;

  /**
   * Stores a request that a mailed code completes, or finds the one of the same holder, and makes its mail
   * due. Returns its id, or "too many" if the source already has `maxOfSource` requests.
   */
  addRequest(input: {
    id: string;
    purpose: string;
    email: string;
    /**
     * Identifies one of several requests for an address: the password hash of a sign-up, or the source of a
     * reset.
     */
    holder: string;
    source: string;
    now: number;
    maxOfSource: number;
  }): Promise<{ id: string } | "too many">;
  findRequest(by: { email: string; purpose: string; holder: string }): Promise<{ id: string } | undefined>;
  /**
   * Converts a sign-up to an account if the code is right, and ends all other requests for the address.
   * Otherwise counts the wrong try and returns undefined.
   */
  confirmSignUp(
    input: CodeCheck & { id: string; userId: string },
  ): Promise<{ id: string } | TooManyCodes | undefined>;
  /**
   * Sets a new password if the code is right, and ends all sessions, tokens and requests of the address.
   * Otherwise counts the wrong try and returns false.
   */
  resetPassword(
    input: CodeCheck & { email: string; source: string; passwordHash: string },
  ): Promise<boolean | TooManyCodes>;
  /**
   * Replaces a password, and ends all sessions, tokens and requests of the address, except the tokens of one
   * grant. Returns false if the stored hash is not `oldHash`.
   */
  changePassword(input: {
    email: string;
    oldHash: string;
    passwordHash: string;
    keptGrantId?: string | undefined;
    now: number;
  }): Promise<boolean>;

  /** Returns addresses with mails that are due. */
  dueAddresses(now: number): Promise<string[]>;
  /**
   * Takes the next mail to an address from the queue, and stores its new code. Returns undefined if no mail
   * may be sent now. The mail is due again after some minutes, unless `finishMail` is called.
   */
  takeMail(input: {
    email: string;
    /** The new code, and the one to use after too many wrong codes. */
    codes: { short: string; long: string };
    codeHash: (requestId: string, code: string) => string;
    now: number;
  }): Promise<TakenMail | undefined>;
  finishMail(mail: TakenMail): Promise<void>;

  /**
   * Counts an event for `key`, unless a limit is reached. Returns 0 if the event is allowed, otherwise the
   * milliseconds until it is allowed.
   * @param count whether to count the event; if false, only checks the limits
   */
  throttle(key: string, limits: readonly Limit[], now: number, count?: boolean): Promise<number>;
  resetThrottle(key: string): Promise<void>;
  /** Counts a wrong code for an address. */
  countWrongCode(email: string, now: number): Promise<void>;
  /** Returns whether there were so many wrong codes for an address that only long ones are accepted. */
  needsLongCode(email: string, now: number): Promise<boolean>;

  /**
   * Inserts or replaces a record of the OpenID provider, which is a token, code, grant, session or
   * interaction. Does nothing for an access token whose grant has ended.
   */
  saveRecord(record: ProviderRecord): Promise<void>;
  findRecord(
    model: string,
    by: { id?: string; userCode?: string; uid?: string },
  ): Promise<ProviderRecord | undefined>;
  /** Returns whether the sign-in of a grant is live. */
  isSignedIn(grantId: string, now: number): Promise<boolean>;
  /**
   * Marks a record as used. Returns false if the record is missing or already used. Only one of two
   * concurrent calls succeeds.
   */
  consumeRecord(model: string, id: string, now: number): Promise<boolean>;
  deleteRecord(model: string, id: string): Promise<void>;
  /** Ends a grant of any client: its sign-in, if it is one, and its tokens and codes. */
  endGrant(grantId: string, now: number): Promise<void>;
  /** Moves the expiry of a record to a later time. */
  extendRecord(model: string, id: string, expiresAt: number): Promise<void>;

  /**
   * Stores the registration of a client. If there are `maxInAll`, the oldest one without a connection is
   * deleted. Returns false if each has one.
   */
  addClient(client: { id: string; payload: string; expiresAt: number; maxInAll: number }): Promise<boolean>;
  /**
   * Stores a refresh token, and keeps its grant as long as it. Returns false if a refresh token of the grant
   * was used after the previous one, or if the grant or the sign-in has ended.
   */
  addRefreshToken(token: {
    record: ProviderRecord & { grantId: string };
    /**
     * The refresh token that this one follows, which has been used; undefined if it need not be the last one
     * that was used.
     */
    previousId: string | undefined;
    /**
     * The sign-in at one of Wireroom's own clients; undefined for an application. A known sign-in keeps its
     * id.
     */
    signIn:
      | { id: string; human: string; clientId: string; createdAt: number; version: number | undefined }
      | undefined;
    now: number;
  }): Promise<boolean>;
  /**
   * Marks a refresh token of an application as used, and with it all unused ones of the grant. Returns false
   * if it was used before.
   * @param keptUntil time until which used tokens are stored
   */
  consumeRefreshToken(token: {
    id: string;
    grantId: string;
    now: number;
    keptUntil: number;
  }): Promise<boolean>;
  /** Returns when a refresh token of the grant was used last, in milliseconds since 1970, or null. */
  lastRefreshTokenUse(grantId: string): Promise<number | null>;

  /**
   * Deletes rows that expired before `now`, which must be the present time. Does nothing while the clock may
   * be wrong.
   */
  purge(now: number): Promise<void>;
}

export interface User {
  id: string;
  email: string;
  passwordHash: string;
  /** Number of changes of the password. A session or token of an earlier version is void. */
  version: number;
}

export interface CodeCheck {
  /** Returns the stored form of the code for a request. */
  codeHash: (requestId: string) => string;
  /** Whether it is a code of six digits. */
  isShort: boolean;
  /** Where a wrong try is counted, besides the request and the address. */
  throttle: { id: string; limits: readonly Limit[] };
  now: number;
}

/** There were too many wrong codes, so the code was not checked. */
export interface TooManyCodes {
  /** Milliseconds until such a code may be tried. */
  waitMs: number;
  /** Whether there were too many for the address, which needs a long code now, and not from the source. */
  isOfAddress: boolean;
}

export interface TakenMail {
  /** Id of the request. */
  id: string;
  purpose: string;
  source: string;
  code: string;
  /** Whether there were too many wrong codes for the address, so that a code has 128 bits. */
  isLong: boolean;
  /** Whether the address has an account. */
  hasAccount: boolean;
  leaseUntil: number;
}

/** A rate limit: at most `count` events in any period of `window` milliseconds. */
export interface Limit {
  count: number;
  window: number;
}

export interface ProviderRecord {
  model: string;
  id: string;
  /** JSON text. */
  payload: string;
  /** The human whom the record is about (`Humans.keyOf`). */
  human: string | null;
  grantId: string | null;
  userCode: string | null;
  uid: string | null;
  consumedAt: number | null;
  expiresAt: number;
}
