import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { navigate } from "../../app/router.js";
import { Form } from "../../parts/form.js";
import { isSlug, SlugField } from "./slug-field.js";

export default function NewHandle() {
  useTitle("Create a handle");
  const [slug, setSlug] = useState("");
  const create = async () => {
    await dashboard.handles.create({ slug });
    navigate(`/handles/${slug}/keys`);
  };
  return (
    <>
      <h1>Create a handle</h1>
      <Form action="Create a handle" isReady={isSlug(slug)} run={create}>
        <SlugField slug={slug} onInput={setSlug} />
        <p class="hint">
          A handle is permanent: it cannot be renamed, and nobody can use its name again after it is retired.
        </p>
      </Form>
    </>
  );
}
