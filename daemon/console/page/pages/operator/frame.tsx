/** The frame and the URLs of the operator pages. */
import type { ComponentChildren } from "preact";
import { operating } from "../../app/acting.js";
import { HandlePage } from "../../app/as-handle.js";
import { BASE, urlAs } from "../../app/router.js";

export function operatorUrl(as: string, ...parts: string[]): string {
  return urlAs(as, "operator", ...parts);
}

/** The field of an operator's reason. */
export const REASON = {
  name: "reason",
  label: "Reason",
  hint: "The humans who own the affected handles read it in their audit log. Do not quote the wire.",
};

interface OperatorFrameProps {
  title: string;
  children: (as: string) => ComponentChildren;
}

export function OperatorFrame({ title, children }: OperatorFrameProps) {
  return (
    <HandlePage title={title} windowTitle={title} as={operating.value}>
      {(as) => (
        <>
          {children(as)}
          <p class="hint">
            You and the humans who own the handles see in the audit log which wires you read and what you do
            here. <a href={`${BASE}/audit?handle=${as}`}>Your audit log</a>{" "}
            <a href={operatorUrl(as)}>All handles</a>
          </p>
        </>
      )}
    </HandlePage>
  );
}
