/** The page and the form that create a handle. */
import { useEffect, useRef, useState } from "preact/hooks";
import { handles, reloadHandles } from "../../app/acting.js";
import { agent, dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { navigate } from "../../app/router.js";
import { CheckField } from "../../parts/field.js";
import { type Bound, Form, type FormProps, useForm } from "../../parts/form.js";
import { isSlug, SlugField } from "./slug-field.js";

/** Delay between the last key press and the check whether the slug is free. */
const PAUSE_MS = 300;

export default function NewHandle() {
  useTitle("Create a handle");
  return (
    <>
      <h1>Create a handle</h1>
      <NewHandleForm action="Create a handle" onCreated={(slug) => navigate(`/handles/${slug}/keys`)} />
    </>
  );
}

interface NewHandleFormProps extends Pick<FormProps, "action" | "class"> {
  onCreated: (slug: string) => unknown;
}

export function NewHandleForm({ onCreated, ...form }: NewHandleFormProps) {
  const { values, field } = useForm({ slug: "", asks: false });
  const { slug } = values;
  /** The handle that exists although its policy could not be set, so that the human can try again. */
  const created = useRef("");
  const create = async () => {
    if (created.current !== slug) await dashboard.handles.create({ slug });
    created.current = slug;
    if (values.asks) await dashboard.egress.update({ slug, mode: "approval" });
    await reloadHandles();
    await onCreated(slug);
  };
  return (
    <Form {...form} isReady={isSlug(slug)} run={create}>
      <NewHandleField {...field("slug")} />
      <p class="hint">
        A handle is permanent: it cannot be renamed, and nobody can use its name again after it is retired.
      </p>
      <CheckField {...field("asks")}>Ask me before it writes to somebody new</CheckField>
    </Form>
  );
}

function NewHandleField(field: Bound<string>) {
  const slug = field.value;
  const [found, setFound] = useState<{ slug: string; isTaken: boolean | undefined }>();
  useEffect(() => {
    if (!isSlug(slug)) return;
    const timer = setTimeout(async () => setFound({ slug, isTaken: await isTaken(slug) }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [slug]);
  const known = found?.slug === slug ? found.isTaken : undefined;
  return (
    <SlugField
      {...field}
      label="Name of the handle"
      hint={known === false ? `@${slug} is free.` : undefined}
      error={known ? `@${slug} is taken. Choose another name.` : undefined}
    />
  );
}

/** Returns undefined if the human has no handle yet, because only handles can look up other handles. */
async function isTaken(slug: string): Promise<boolean | undefined> {
  const own = handles.value ?? [];
  if (own.length === 0 || own.some((handle) => handle.slug === slug)) return own.length > 0 || undefined;
  try {
    await agent(own[0]!.slug).sent.list({ to: `@${slug}`, limit: 1 });
    return true;
  } catch (error) {
    return (error as { status?: number }).status === 404 ? false : undefined;
  }
}
