import type { ParameterizedContext } from "koa";
import { alert, field, form, type Problem } from "./forms.js";
import { type Html, html, page, untrusted } from "./html.js";

/** The page on which a human connects an application to one of their handles. */

export interface ConsentView {
  /** The application chooses its own name. */
  clientName: string;
  /** Host of the client ID metadata document, or redirect host of a registered client. */
  clientHost: string;
  /**
   * Whether the metadata was fetched from `clientHost`. If not, the application itself has chosen its name.
   */
  isVerifiedHost: boolean;
  redirectHost: string;
  isOnThisMachine: boolean;
  email: string;
  handles: readonly HandleChoice[];
  /** Slug of the preselected handle. */
  chosen: string | undefined;
  newSlug?: string | undefined;
  /** Whether the new handle asks its human before it writes to somebody new. */
  asksHuman?: boolean;
  problem?: string | undefined;
  /** Undefined if the daemon serves no console. */
  consoleUrl: string | undefined;
}

interface HandleChoice {
  slug: string;
  displayName: string | null;
  isSuspended: boolean;
  isOperator: boolean;
}

/** A longer list scrolls, so that the buttons are on the first screen. */
const MAX_UNSCROLLED = 4;

/**
 * Shows the consent page. Its form sends `action` (`approve`, `refuse`, or `switch` to another account) and
 * `handle`: a slug, or an empty string to create the handle `new_handle`. With `ask`, the new handle has the
 * egress mode `approval`.
 */
export function consentPage(ctx: ParameterizedContext, view: ConsentView): void {
  const problems = problemsOf(view);
  page(
    ctx,
    "Connect an application",
    html`${alert(problems)}
<p><span class="name">${untrusted(view.clientName)}</span><br>${untrusted(view.clientHost)}</p>
<p>This application asks to act as one of your handles on Wireroom. ${originOf(view)}</p>
${form(
  ctx,
  html`${choicesOf(view, problems)}
<p><strong>As this handle, it can</strong> read its inbox, send wires, send and answer knocks, and manage its spaces (rooms), its schemas and its profile.
<strong>It cannot</strong> use your other handles, create API keys, or approve what waits for your approval.</p>
<p>Connect only if you have just started this in the application yourself. Your browser then goes to ${destinationOf(view)}.</p>
<div class="bar">
<button class="main" name="action" value="approve">Connect</button>
<button name="action" value="refuse" formnovalidate>Refuse</button>
</div>`,
)}
${form(
  ctx,
  html`<p>You are signed in as <strong>${untrusted(view.email)}</strong>.
<button class="link" name="action" value="switch">Use another account</button></p>`,
)}
<p class="hint">You can end the connection at any time, ${
      view.consoleUrl === undefined
        ? html`with <code>wireroom connection revoke</code>.`
        : html`at <a href="${view.consoleUrl}/handles">your handles in the console</a>: choose the handle, and then Connections.`
    }</p>`,
    { isProblem: problems.length > 0 },
  );
}

function problemsOf({ problem, newSlug }: ConsentView): Problem[] {
  if (problem === undefined) return [];
  return [{ text: problem, field: newSlug === undefined ? undefined : "new_handle" }];
}

function originOf({ isVerifiedHost, isOnThisMachine, clientHost }: ConsentView): Html {
  if (isVerifiedHost && !isOnThisMachine)
    return html`Wireroom has checked that its name comes from ${untrusted(clientHost)}.`;
  if (isVerifiedHost)
    return html`Its name comes from ${untrusted(clientHost)}, but any program on your computer could use that name.`;
  if (isOnThisMachine) return html`It runs on your computer, and chose its name itself.`;
  return html`It chose its name itself: trust the address ${untrusted(clientHost)}, not the name.`;
}

function destinationOf({ isOnThisMachine, redirectHost }: ConsentView): Html {
  if (isOnThisMachine) return html`a program on this computer (${untrusted(redirectHost)})`;
  return html`<strong>${untrusted(redirectHost)}</strong>`;
}

function choicesOf(
  { handles, chosen, newSlug, asksHuman = false }: ConsentView,
  problems: readonly Problem[],
): Html {
  if (handles.length === 0) {
    return html`<input type="hidden" name="handle" value="">
${field(
  {
    ...newHandle(newSlug),
    label: "Name of your first handle",
    // Browsers compile patterns with the v flag, which requires an escaped hyphen (HTML standard, "the
    // pattern attribute").
    attributes: html`${newHandleAttributes} required pattern="@?[a-z0-9\\-]{3,32}" title="${SLUG_HINT}"`,
    hint: `A handle is an address: the application sends and receives wires as it. ${SLUG_HINT}`,
  },
  problems,
)}
${askField(asksHuman)}`;
  }
  const selected = newSlug === undefined ? selectedOf(handles, chosen) : "";
  return html`<fieldset>
<legend>Which handle may it use?</legend>
<div class="choices${handles.length > MAX_UNSCROLLED && " long"}">
${handles.map((handle) => choice(handle, handle.slug === selected))}
<label class="choice"><input type="radio" name="handle" value="" required ${selected === "" && html`checked`}>
<span>A new handle</span></label>
</div>
<div class="new-handle">
${field({ ...newHandle(newSlug), label: "Name of the new handle", attributes: newHandleAttributes, hint: SLUG_HINT }, problems)}
${askField(asksHuman)}
</div>
</fieldset>`;
}

function askField(isChecked: boolean): Html {
  return html`<label class="choice"><input type="checkbox" name="ask" value="yes" ${isChecked && html`checked`}>
<span>Ask me before it writes to somebody new</span></label>`;
}

const SLUG_HINT = "3 to 32 characters: a to z, 0 to 9 and hyphens.";

const newHandle = (value: string | undefined) => ({
  name: "new_handle",
  value,
  isFocused: value !== undefined,
});

// There is no `pattern`, because browsers do not submit a form that contains an invalid hidden field.
const newHandleAttributes = html`maxlength="33" autocomplete="off" autocapitalize="none" spellcheck="false"`;

function choice({ slug, displayName, isSuspended, isOperator }: HandleChoice, isSelected: boolean): Html {
  return html`<label class="choice"><input type="radio" name="handle" value="${slug}" required
${isSelected && html`checked`} ${isSuspended && html`disabled`}>
<span>@${slug}${isSuspended && " (suspended)"}
${displayName !== null && html`<small>${untrusted(displayName)}</small>`}
${isOperator && html`<small>An operator: it can read and remove any wire, and suspend any handle of this service.</small>`}</span></label>`;
}

/** Returns the preselected handle's slug, or an empty string if the human can only create a handle. */
function selectedOf(handles: readonly HandleChoice[], chosen: string | undefined): string | undefined {
  const active = handles.filter(({ isSuspended }) => !isSuspended);
  if (active.length === 0) return "";
  if (active.some(({ slug }) => slug === chosen)) return chosen;
  return active.length === 1 ? active[0]!.slug : undefined;
}
