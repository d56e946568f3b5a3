import type { ParameterizedContext } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";
import { type Html, html, stateOf } from "./html.js";

/** Forms and their fields. */

/** `field` is absent if the problem does not concern a single field. */
export interface Problem {
  field?: string | undefined;
  text: string;
}

export function form(ctx: ParameterizedContext, content: Html): Html {
  const { formToken } = stateOf(ctx);
  return html`<form method="post" action="?">
${formToken !== undefined && html`<input type="hidden" name="form_token" value="${formToken}">`}
${content}
</form>`;
}

/** The form contains the CSRF token that oidc-provider stores in the session. */
export function providerForm(ctx: KoaContextWithOIDC, route: string, content: Html): Html {
  const secret = (ctx.oidc.session?.state as { secret?: string } | undefined)?.secret ?? "";
  return html`<form method="post" action="${ctx.oidc.urlFor(route)}">
<input type="hidden" name="xsrf" value="${secret}">
${content}
</form>`;
}

export interface Field {
  name: string;
  label: string;
  attributes: Html;
  value?: string | undefined;
  hint?: string | undefined;
  isFocused?: boolean | undefined;
  describedBy?: string | undefined;
}

export function field(
  { name, label, attributes, value, hint, isFocused = false, describedBy }: Field,
  problems: readonly Problem[] = [],
): Html {
  const own = problems.filter((problem) => problem.field === name);
  const described = [
    describedBy,
    hint !== undefined && `${name}-hint`,
    own.length > 0 && `${name}-problem`,
  ].filter(Boolean);
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${own.length > 0 && html`<p class="problem" role="alert" id="${name}-problem">${own.map(({ text }) => text).join(" ")}</p>`}
<input id="${name}" name="${name}" ${value !== undefined && html`value="${value}"`} ${attributes}
${described.length > 0 && html`aria-describedby="${described.join(" ")}"`} ${own.length > 0 && html`aria-invalid="true"`}
${isFocused && html`autofocus`}>
</div>`;
}

/** Shows problems that do not concern a single field. */
export function alert(problems: string | readonly Problem[] | undefined): Html | undefined {
  const text =
    typeof problems === "string"
      ? problems
      : problems
          ?.filter((problem) => problem.field === undefined)
          .map((problem) => problem.text)
          .join(" ");
  return text ? html`<p class="alert" role="alert" id="alert">${text}</p>` : undefined;
}
