/** The interface for humans who sign in. Embedded and external accounts implement it. */
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import type { ClientMetadata, errors as Errors, InteractionResults } from "oidc-provider";
import type { Identity } from "../../verifier.js";

/** A browser's visit to the provider, which ends when the browser returns to the client. */
export type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

export interface Human {
  accountId: string;
  /** The human's account in the service. */
  identity: Identity;
  /** Sessions, codes and refresh tokens contain it as `acr`. They become invalid when it changes. */
  version: string | undefined;
}

export interface Login {
  accountId: string;
  /** The methods with which the human signed in (RFC 8176). */
  amr?: string[];
  acr?: string | undefined;
}

/** The humans whom the provider can sign in: its own accounts, or an external provider's accounts. */
export interface Humans {
  readonly clients: ClientMetadata[];
  /** Whether each `Human` has a `version`. */
  readonly hasVersions: boolean;
  /** Humans must sign in again after this time, even if the browser session is still valid. */
  readonly maxSignInSeconds?: number;
  readonly maxSessionSeconds?: number;
  routes(provider: Provider): Middleware[];
  addGrantTypes?(provider: Provider, errors: typeof Errors): void;
  find(accountId: string): Promise<Human | undefined>;
  /** Returns the account's key in the store, which stays the same when the e-mail address changes. */
  keyOf(accountId: string): string;
  /**
   * Shows a form or redirects to an external provider.
   * @param isOther whether the human wants to use another account
   */
  showSignIn(ctx: Context, interaction: Interaction, isOther?: boolean): Promise<void> | void;
  /** Returns false if the request is not an external provider's response. */
  receive?(ctx: Context, interaction: Interaction, finish: FinishSignIn): Promise<boolean>;
  /** Calls `finish` on success. Returns false if the form is not a sign-in form. */
  submit(ctx: Context, interaction: Interaction, form: Form, finish: FinishSignIn): Promise<boolean>;
}

export type Form = Record<string, string>;
export type Finish = (
  ctx: Context,
  result: InteractionResults,
  mergeWithLastSubmission: boolean,
) => Promise<void>;
export type FinishSignIn = (ctx: Context, login: Login) => Promise<void>;
