// Generated from the contract by `npm run generate`; edits are lost.
import type { ApiPromise } from "../runtime/api-promise.js";
import type { CallOptions } from "../runtime/operation.js";
import type { PagePromise } from "../runtime/pages.js";
import { Resource } from "../runtime/resource.js";
import type { SignIn } from "./shapes.js";

/** The input of `signIns.list`. */
export interface SignInsListInput {
  /**
   * The `next_cursor` of the previous page. Default: the first page. A cursor from before a restore of
   * the database counts as none.
   *
   * Limits: at most 512 characters.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  cursor?: string | undefined;
  /**
   * Maximum number of items, 1 to 100. Default: 50.
   *
   * Limits: 1 to 100.
   *
   * @example 20
   */
  limit?: number | undefined;
}

/** The input of `signIns.end`. */
export interface SignInsEndInput {
  /**
   * The id of the sign-in.
   *
   * Limits: 1 to 200 characters.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
}

/** The output of `signIns.list`. */
export interface SignInsListOutput {
  /** The sign-ins, newest first. */
  sign_ins: SignIn[];
  /**
   * The cursor of the next page; null on the last page.
   *
   * @example "1f.3Jx0aQ2bR9k"
   */
  next_cursor: string | null;
}

/** The output of `signIns.end`. */
export interface SignInsEndOutput {
  /**
   * The id of the sign-in.
   *
   * Limits: format uuid.
   *
   * @example "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"
   */
  id: string;
  /**
   * Always true: the sign-in has ended.
   *
   * @example true
   */
  ended: boolean;
}

/** The output of `signIns.endOthers`. */
export interface SignInsEndOthersOutput {
  /**
   * The number of sign-ins that were ended.
   *
   * @example 2
   */
  ended: number;
}

/** The sign-ins of the human at the command line and the console. */
export class SignInsResource extends Resource {
  /**
   * List sign-ins.
   *
   * Returns your sign-ins at the command line and the console that have not ended. With an external
   * identity provider, those of the command line are at the provider, and are not listed.
   *
   * Errors: `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * for await (const item of dashboard.signIns.list()) console.log(item);
   * const page = await dashboard.signIns.list();
   * ```
   */
  list(input: SignInsListInput = {}, options?: CallOptions): PagePromise<SignInsListOutput, SignIn> {
    return this.client.list({ id: "signIns.list", method: "GET", path: "/sign-ins" }, input, options, "sign_ins");
  }

  /**
   * End a sign-in.
   *
   * Ends a sign-in immediately, with its ID tokens and the access tokens of handles that it issued. API
   * keys and connections stay valid. Repeating the call returns the same result.
   *
   * Errors: `NotFoundError`, `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.signIns.end({ id: "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f" });
   * ```
   */
  end(input: SignInsEndInput, options?: CallOptions): ApiPromise<SignInsEndOutput> {
    return this.client.call({ id: "signIns.end", method: "DELETE", path: "/sign-ins/{id}" }, input, options);
  }

  /**
   * End all other sign-ins.
   *
   * Ends all sign-ins except that of this request's ID token, and the sessions of all browsers at the
   * sign-in page. With an ID token of an external identity provider, it ends all that are listed.
   *
   * Errors: `ForbiddenError`, `ValidationError`.
   *
   * @example
   * ```ts
   * const result = await dashboard.signIns.endOthers();
   * ```
   */
  endOthers(options?: CallOptions): ApiPromise<SignInsEndOthersOutput> {
    return this.client.call({ id: "signIns.endOthers", method: "DELETE", path: "/sign-ins" }, {}, options);
  }
}
