import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { navigate } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Problem } from "../../parts/problem.js";
import { texts } from "../../texts/index.js";
import { isSlug, SlugField } from "./slug-field.js";

export default function NewHandle() {
  useTitle(texts.asHandle.create);
  const [slug, setSlug] = useState("");
  const [error, setError] = useState<unknown>();
  const create = async () => {
    setError(undefined);
    try {
      await dashboard.handles.create({ slug });
      navigate(`/handles/${slug}/keys`);
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <>
      <h1>{texts.asHandle.create}</h1>
      <form class="sheet" onSubmit={(event) => event.preventDefault()}>
        <SlugField slug={slug} onInput={setSlug} />
        <p class="hint">{texts.handles.forEver}</p>
        {error !== undefined && <Problem error={error} />}
        <div class="actions">
          <Button kind="main" type="submit" disabled={!isSlug(slug)} onClick={create}>
            {texts.asHandle.create}
          </Button>
        </div>
      </form>
    </>
  );
}
