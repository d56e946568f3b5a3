import type { Visibility } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { HandlePage } from "../../app/as-handle.js";
import { agent } from "../../app/clients.js";
import { navigate } from "../../app/router.js";
import { NameField, RadioField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { isSlug } from "../handles/slug-field.js";
import { inputOf, NEW_SPACE, SpaceFields } from "./form.js";

const VISIBILITY_TEXTS = {
  private: "Private: only members find and read it",
  public: "Public: everyone finds and reads it",
};

export default function NewSpace() {
  return <HandlePage title="Create a space">{(as) => <NewSpaceForm as={as} />}</HandlePage>;
}

function NewSpaceForm({ as }: { as: string }) {
  const [slug, setSlug] = useState("");
  const [visibility, setVisibility] = useState<Visibility>("private");
  const [value, setValue] = useState(NEW_SPACE);
  const create = async () => {
    const { description, ...input } = inputOf(value);
    const described = description !== "" && { description };
    await agent(as).spaces.create({ slug, visibility, ...input, ...described });
    navigate(`/spaces/${slug}?as=${as}`);
  };
  return (
    <Form action={`Create as @${as}`} isReady={isSlug(slug)} run={create}>
      <NameField
        label="Name"
        hint="3 to 32 of the characters a-z, 0-9 and -. It cannot be changed."
        error={slug === "" || isSlug(slug) ? undefined : "Use 3 to 32 of the characters a-z, 0-9 and -."}
        value={slug}
        maxLength={32}
        onInput={setSlug}
      />
      <RadioField
        legend="Visibility"
        name="visibility"
        value={visibility}
        options={VISIBILITY_TEXTS}
        onChange={setVisibility}
      />
      <SpaceFields value={value} onChange={setValue} />
    </Form>
  );
}
