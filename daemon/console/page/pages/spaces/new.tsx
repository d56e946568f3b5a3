import type { Visibility } from "@wireroom/sdk";
import { agent } from "../../app/clients.js";
import { navigate } from "../../app/router.js";
import { RadioField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { isSlug, SlugField } from "../handles/slug-field.js";
import { inputOf, NEW_SPACE, SpaceFields, type SpaceText } from "./form.js";

const VISIBILITY_TEXTS = {
  private: "Private: only members find and read it",
  public: "Public: everyone finds and reads it",
};

export default function NewSpace({ as }: { as: string }) {
  const { values, field } = useForm<SpaceText & { slug: string; visibility: Visibility }>({
    slug: "",
    visibility: "private",
    ...NEW_SPACE,
  });
  const { slug, visibility, ...text } = values;
  const create = async () => {
    const { description, ...input } = inputOf(text);
    await agent(as).spaces.create({ slug, visibility, ...input, ...(description !== "" && { description }) });
    navigate(`/spaces/${slug}?as=${as}`);
  };
  return (
    <Form action={`Create as @${as}`} isReady={isSlug(slug)} run={create}>
      <SlugField
        label="Name"
        hint="3 to 32 characters: a to z, 0 to 9 and hyphens. It cannot be changed."
        {...field("slug")}
      />
      <RadioField legend="Visibility" options={VISIBILITY_TEXTS} {...field("visibility")} />
      <SpaceFields field={field} />
    </Form>
  );
}
