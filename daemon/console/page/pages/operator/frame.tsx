/** The frame and the URLs of the views of operators. */
import type { ComponentChildren } from "preact";
import { AsHandle } from "../../app/as-handle.js";
import { useTitle } from "../../app/layout.js";
import { BASE, urlOf } from "../../app/router.js";
import { texts } from "../../texts/index.js";

/** Returns the URL of a view of the operator `as`. */
export function operatorUrl(as: string, ...parts: string[]): string {
  return `${urlOf("operator", ...parts)}?as=${as}`;
}

export function OperatorFrame({
  title,
  children,
}: {
  title: string;
  /** Renders the view for the handle that is the operator. */
  children: (as: string) => ComponentChildren;
}) {
  useTitle(title);
  return (
    <>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <AsHandle>
        {(as) => (
          <>
            {children(as)}
            <p class="hint">
              {texts.operator.audit} <a href={`${BASE}/audit?handle=${as}`}>{texts.operator.auditLink}</a>
            </p>
          </>
        )}
      </AsHandle>
    </>
  );
}
