/** Components of the views that act as one of the human's handles. */
import type { Handle } from "@wireroom/sdk";
import { type ComponentChildren, Fragment } from "preact";
import { Empty } from "../parts/list.js";
import { Loading } from "../parts/load.js";
import { Problem } from "../parts/problem.js";
import { acting, handles, handlesProblem, reloadHandles } from "./acting.js";
import { isUnreachable } from "./connection.js";
import { useTitle } from "./layout.js";
import { BASE } from "./router.js";

/** Shows the children when the human's handles are loaded. */
export function WithHandles({ children }: { children: (handles: readonly Handle[]) => ComponentChildren }) {
  if (handles.value) return <>{children(handles.value)}</>;
  if (handlesProblem.value === undefined || isUnreachable(handlesProblem.value)) return <Loading />;
  return <Problem error={handlesProblem.value} retry={reloadHandles} />;
}

interface AsHandleProps {
  as?: string | undefined;
  children: (as: string) => ComponentChildren;
}

export function AsHandle({ as = acting.value, children }: AsHandleProps) {
  if (as !== undefined) {
    const isSuspended = handles.value!.some(({ slug, suspended }) => slug === as && suspended);
    return (
      <Fragment key={as}>
        {isSuspended && <Suspended />}
        {children(as)}
      </Fragment>
    );
  }
  const create = (
    <a class="button" href={`${BASE}/new-handle`}>
      Create a handle
    </a>
  );
  return <WithHandles>{() => <Empty title="You have no handle yet">{create}</Empty>}</WithHandles>;
}

interface HandlePageProps {
  title: string;
  /** Title of the window. By default, it also names the acting handle. */
  windowTitle?: string;
  as?: string | undefined;
  children: (as: string) => ComponentChildren;
}

/** A view of the acting handle. */
export function HandlePage({ title, windowTitle, as, children }: HandlePageProps) {
  useTitle(windowTitle ?? (acting.value === undefined ? title : `${title} – @${acting.value}`));
  return (
    <>
      <h1>
        <bdi>{title}</bdi>
      </h1>
      <AsHandle as={as}>{children}</AsHandle>
    </>
  );
}

export function Suspended() {
  return (
    <p class="alert">
      An operator has suspended this handle, so it can neither read nor send. Your audit log has the reason.{" "}
      <a href={`${BASE}/audit?action=handle.suspended`}>Show it</a>
    </p>
  );
}
