/** The humans who sign in at the provider, of whichever kind. */
import type { Context, Middleware } from "koa";
import type Provider from "oidc-provider";
import type { ClientMetadata, errors as Errors, InteractionResults } from "oidc-provider";
import type { Identity } from "../../verifier.js";

/** A visit of a browser to the provider, from which it returns to the client. */
export type Interaction = Awaited<ReturnType<Provider["interactionDetails"]>>;

/** A human who may be signed in at the provider. */
export interface Human {
  /** Identifies the human to oidc-provider. */
  accountId: string;
  /** The account of the service that belongs to the human. */
  identity: Identity;
  /**
   * Version of the human's sign-ins. oidc-provider copies it, as `acr`, from each session, code and refresh
   * token to the next, so a change voids all of them.
   */
  version: string | undefined;
}

/** The result of a sign-in. */
export interface Login {
  accountId: string;
  /** How the human signed in (RFC 8176). */
  amr?: string[];
  acr?: string | undefined;
}

/** Where the provider's humans come from: its own accounts, or the sign-in at another provider. */
export interface Humans {
  /** Wireroom's own clients, which sign humans in at the provider. */
  readonly clients: ClientMetadata[];
  /** Whether humans have a version. */
  readonly hasVersions: boolean;
  /** Time after which a human signs in again, although the session of the browser lasts longer. */
  readonly maxSignInSeconds?: number;
  /** Time after which a session of the console ends, however often it is renewed. */
  readonly maxSessionSeconds?: number;
  /** Routes of the sign-in, below the path of the provider. */
  readonly routes: Middleware[];
  /** Adds grant types to the provider. */
  addGrantTypes?(provider: Provider, errors: typeof Errors): void;
  /** Returns a human, or undefined if the human no longer exists. */
  find(accountId: string): Promise<Human | undefined>;
  /** Returns the human's name in the store, which does not change with the e-mail address. */
  keyOf(accountId: string): string;
  /**
   * Begins a sign-in in the browser: shows a form, or leads to another provider.
   * @param isOther whether the human wants to use another account
   */
  showSignIn(ctx: Context, interaction: Interaction, isOther?: boolean): Promise<void> | void;
  /** Handles another provider's response. Returns false for any other request. */
  receive?(ctx: Context, interaction: Interaction, finish: FinishSignIn): Promise<boolean>;
  /** Handles a sign-in form, and calls `finish` after success. Returns false for any other form. */
  submit(ctx: Context, interaction: Interaction, form: Form, finish: FinishSignIn): Promise<boolean>;
}

export type Form = Record<string, string>;
/** Ends an interaction, and sends the browser back to the client. */
export type Finish = (
  ctx: Context,
  result: InteractionResults,
  mergeWithLastSubmission: boolean,
) => Promise<void>;
export type FinishSignIn = (ctx: Context, login: Login) => Promise<void>;
