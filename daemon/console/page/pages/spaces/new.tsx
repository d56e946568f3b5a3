import type { Visibility } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { AsHandle } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { navigate } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Field, NameInput } from "../../parts/field.js";
import { Problem } from "../../parts/problem.js";
import { texts } from "../../texts/index.js";
import { isSlug } from "../handles/slug-field.js";
import { inputOf, NEW_SPACE, SpaceFields } from "./form.js";

export default function NewSpace() {
  useTitle(texts.spaces.create);
  return (
    <>
      <h1>{texts.spaces.create}</h1>
      <AsHandle>{(as) => <Form as={as} />}</AsHandle>
    </>
  );
}

function Form({ as }: { as: string }) {
  const [slug, setSlug] = useState("");
  const [visibility, setVisibility] = useState<Visibility>("private");
  const [value, setValue] = useState(NEW_SPACE);
  const [error, setError] = useState<unknown>();
  const create = async () => {
    setError(undefined);
    try {
      const { description, ...input } = inputOf(value);
      await agent(as).spaces.create({
        slug,
        visibility,
        ...input,
        ...(description !== "" && { description }),
      });
      navigate(`/spaces/${slug}?as=${as}`);
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <Field
        label={texts.spaces.slug}
        hint={texts.spaces.slugHint}
        error={slug === "" || isSlug(slug) ? undefined : texts.spaces.slugWrong}
      >
        {(props) => <NameInput {...props} value={slug} maxLength={32} onInput={setSlug} />}
      </Field>
      <fieldset>
        <legend>{texts.spaces.visibility}</legend>
        {(["private", "public"] as const).map((each) => (
          <label class="check" key={each}>
            <input
              type="radio"
              name="visibility"
              checked={visibility === each}
              onChange={() => setVisibility(each)}
            />
            {texts.spaces.visibilityTexts[each]}
          </label>
        ))}
      </fieldset>
      <SpaceFields value={value} onChange={setValue} />
      {error !== undefined && <Problem error={error} />}
      <div class="actions">
        <Button kind="main" type="submit" disabled={!isSlug(slug)} onClick={create}>
          {texts.spaces.createAs(`@${as}`)}
        </Button>
      </div>
    </form>
  );
}
