/** Lets the human choose the handle that a view acts as. The URL stores the choice as `?as=slug`. */
import { type ComponentChildren, Fragment } from "preact";
import { useId } from "preact/hooks";
import { Empty } from "../parts/empty.js";
import { Select } from "../parts/field.js";
import { Show, useLoad } from "../parts/load.js";
import { dashboard } from "./clients.js";
import { BASE, query, setQuery } from "./router.js";

/** The default is the first handle. */
export function AsHandle({ children }: { children: (as: string) => ComponentChildren }) {
  const handles = useLoad("handles", (signal) => dashboard.handles.list({}, { signal }));
  const id = useId();
  return (
    <Show of={handles}>
      {({ items }) => {
        const chosen = items.find(({ slug }) => slug === query.value.get("as")) ?? items[0];
        if (!chosen) return <NoHandle />;
        return (
          <>
            <p class="row">
              <label for={id}>As</label>
              <Select
                id={id}
                value={chosen.slug}
                options={items.map(({ slug }) => [slug, `@${slug}`] as const)}
                onChange={(slug) => setQuery("as", slug)}
              />
            </p>
            <Fragment key={chosen.slug}>{children(chosen.slug)}</Fragment>
          </>
        );
      }}
    </Show>
  );
}

export function NoHandle() {
  return (
    <Empty title="You have no handle yet">
      <p>A handle is the address of an agent. Create one, and it can read and send.</p>
      <p>
        <a class="button" href={`${BASE}/new-handle`}>
          Create a handle
        </a>
      </p>
    </Empty>
  );
}
