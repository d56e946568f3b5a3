import type { Context } from "koa";
import type Provider from "oidc-provider";
import { WireroomError } from "../../../../src/contract/errors.js";
import type { Connections } from "../../../../src/service/connections.js";
import { APPLICATION_SCOPE } from "../clients/own-clients.js";
import { type Destination, destinationOf } from "../clients/redirect-uris.js";
import { type ConsentView, consentPage, contentSecurityPolicy, stateOf } from "../pages/index.js";
import type { Grants } from "../records/grants.js";
import type { Finish, Form, Human, Interaction } from "./humans.js";

/** The reason why an approval failed. */
type Problem = Partial<Pick<ConsentView, "newSlug" | "asksHuman" | "problem" | "chosen">>;

interface Application {
  clientName: string;
  clientHost: string;
  isVerifiedHost: boolean;
  destination: Destination;
}

/** The page on which a human connects an application to a handle, which creates a grant. */
export class Consent {
  constructor(
    private readonly provider: Provider,
    private readonly connections: Connections,
    private readonly grants: Grants,
    /** Undefined if the daemon serves no console. */
    private readonly consoleUrl: string | undefined,
  ) {}

  async prepare(ctx: Context, { params }: Interaction): Promise<boolean> {
    const clientId = params.client_id as string;
    const client = await this.provider.Client.find(clientId).catch((error: { expose?: boolean }) => {
      // The metadata document was valid before, but is now invalid or cannot be fetched.
      if (error.expose) return undefined;
      throw error;
    });
    if (!client) return false;
    const destination = destinationOf(params.redirect_uri as string);
    const isVerifiedHost = clientId.startsWith("https://");
    const clientHost = isVerifiedHost ? new URL(clientId).host : destination.host;
    const application: Application = {
      ...{ clientName: client.clientName ?? clientHost, clientHost, isVerifiedHost, destination },
    };
    ctx.state.application = application;
    stateOf(ctx).requester = { clientName: application.clientName, clientHost };
    ctx.set("Content-Security-Policy", contentSecurityPolicy([destination.formAction]));
    return true;
  }

  async show(
    ctx: Context,
    { params }: Interaction,
    { identity }: Human,
    problem: Problem = {},
  ): Promise<void> {
    const { destination, ...application } = applicationOf(ctx);
    const clientId = params.client_id as string;
    if (!application.isVerifiedHost) await this.grants.keepClient(clientId);
    const { handles, last } = await this.connections.choices(identity, clientId);
    consentPage(ctx, {
      ...application,
      redirectHost: destination.host,
      isOnThisMachine: destination.isOnThisMachine,
      email: identity.email,
      handles,
      chosen: last,
      consoleUrl: this.consoleUrl,
      ...problem,
    });
  }

  async approve(
    ctx: Context,
    interaction: Interaction,
    human: Human,
    form: Form,
    finish: Finish,
  ): Promise<void> {
    const newSlug = form.handle === "" ? (form.new_handle ?? "").trim().replace(/^@/, "") : undefined;
    const asksHuman = form.ask === "yes";
    const requestId = String(ctx.state.requestId ?? "");
    let slug = form.handle;
    try {
      if (newSlug !== undefined) {
        await this.connections.createHandle(human.identity, newSlug, requestId, asksHuman);
        slug = newSlug;
      }
      if (slug === undefined) {
        ctx.status = 400;
        return await this.show(ctx, interaction, human, { problem: "Choose a handle." });
      }
      const grantId = await this.createGrant(ctx, interaction, human, slug);
      return await finish(ctx, { consent: { grantId } }, true);
    } catch (error) {
      if (!(error instanceof WireroomError) || error.status >= 500) throw error;
      ctx.status = error.status;
      const { retry_after } = error.details;
      if (retry_after !== undefined) ctx.set("Retry-After", String(retry_after));
      // If the handle was created before the error, preselect it.
      const previous = slug === newSlug ? { chosen: slug } : { newSlug, asksHuman };
      await this.show(ctx, interaction, human, { problem: sentenceOf(error), ...previous });
    }
  }

  private async createGrant(
    ctx: Context,
    { params }: Interaction,
    { accountId, identity }: Human,
    slug: string,
  ): Promise<string> {
    const clientId = params.client_id as string;
    const grant = new this.provider.Grant({ accountId, clientId });
    grant.addResourceScope(params.resource as string, APPLICATION_SCOPE);
    const grantId = await grant.save();
    const { clientName } = applicationOf(ctx);
    try {
      await this.connections.approve({ identity, slug, clientId, clientName, grantId });
    } catch (error) {
      await grant.destroy();
      throw error;
    }
    return grantId;
  }
}

function applicationOf(ctx: Context): Application {
  return ctx.state.application as Application;
}

function sentenceOf({ message, details }: WireroomError): string {
  const reasons = (details.errors ?? []) as { message: string }[];
  const text =
    reasons.length > 0 ? `The name ${reasons.map((reason) => reason.message).join(", and ")}` : message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
