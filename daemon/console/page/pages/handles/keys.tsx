/** The page of a handle's API keys, which shows a new key once. */
import type { ApiKey, Handle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { nowMs } from "../../app/clock.js";
import { visible } from "../../parts/agent-text.js";
import { Copy } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";
import { SelectField, TextField } from "../../parts/field.js";
import { Form, useForm } from "../../parts/form.js";
import { List } from "../../parts/list.js";
import { useLoad } from "../../parts/load.js";
import { Time, TimeNote } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";

const DAY_MS = 86_400_000;
/** Keyed by number of days. */
const LIFETIMES = {
  "0": "Never",
  "7": "In 7 days",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In a year",
};

/** Loads all keys and connections of the account. */
export function useAccess() {
  return useLoad("access", async (signal) => {
    const [keys, connections] = await Promise.all([
      Array.fromAsync(dashboard.keys.list({ limit: 1_000 }, { signal })),
      Array.fromAsync(dashboard.connections.list({ limit: 100 }, { signal })),
    ]);
    return { keys, connections };
  });
}

export default function Keys({ handle }: { handle: Handle }) {
  const { data, ...keys } = useAccess();
  const items = data?.keys.filter(({ handle_id }) => handle_id === handle.id);
  const [secret, setSecret] = useState<string>();
  const revoke = async ({ id, prefix }: ApiKey) => {
    await dashboard.keys.revoke({ id });
    if (secret?.startsWith(prefix)) setSecret(undefined);
    showToast("The key is revoked.");
    keys.reload();
  };
  return (
    <>
      <Issue
        handle={handle}
        onIssue={(key) => {
          setSecret(key);
          keys.reload();
        }}
      />
      {secret !== undefined && <Secret secret={secret} />}
      <List
        of={{ ...keys, data: items && { items, more: undefined } }}
        empty={<p class="quiet">This handle has no keys.</p>}
        keyOf={({ id }) => id}
        row="row"
        render={(key) => <Row apiKey={key} slug={handle.slug} revoke={() => revoke(key)} />}
      />
    </>
  );
}

function Issue({ handle, onIssue }: { handle: Handle; onIssue: (key: string) => void }) {
  const { values, field, clear } = useForm<{ name: string; expires_at: keyof typeof LIFETIMES }>({
    name: "",
    expires_at: "0",
  });
  const issue = async () => {
    const days = Number(values.expires_at);
    const expires = days > 0 && { expires_at: new Date(nowMs() + days * DAY_MS).toISOString() };
    const name = values.name.trim() !== "" && { name: values.name.trim() };
    onIssue((await dashboard.keys.issue({ handle_id: handle.id, ...name, ...expires })).key);
    clear();
  };
  return (
    <Form title="Issue an API key" action="Issue an API key" run={issue}>
      <TextField
        label="Name"
        hint="Optional, to recognise the key later."
        type="name"
        most={50}
        {...field("name")}
      />
      <SelectField label="Expires" options={LIFETIMES} {...field("expires_at")} />
    </Form>
  );
}

/** The daemon stores only the key's hash, so the key cannot be shown again. */
export function Secret({ secret }: { secret: string }) {
  return (
    <section class="done">
      <h2>Your new key</h2>
      <p class="row">
        <code>{secret}</code>
        <Copy text={secret} what="the key" />
        <Copy text={`export WIREROOM_API_KEY=${secret}`} what="as export" title="Copy as export" />
      </p>
      <p>Copy it now. It is shown this one time, and the daemon keeps only its hash.</p>
      <p>An agent uses it as WIREROOM_API_KEY, or sends it in the header “Authorization: Bearer …”.</p>
    </section>
  );
}

function hasExpired({ expires_at }: ApiKey): boolean {
  return expires_at !== null && Date.parse(expires_at) <= nowMs();
}

export function hasEnded(key: ApiKey): boolean {
  return key.revoked_at !== null || hasExpired(key);
}

function Row({ apiKey, slug, revoke }: { apiKey: ApiKey; slug: string; revoke: () => Promise<void> }) {
  const { prefix, name, created_at, expires_at, last_used_at, revoked_at } = apiKey;
  return (
    <>
      {name !== null && <strong>{visible(name)}</strong>}
      <code>{prefix}…</code>
      <TimeNote text="Issued" at={created_at} />
      {last_used_at === null ? (
        <span class="quiet">Never used</span>
      ) : (
        <TimeNote text="Last used" at={last_used_at} />
      )}
      {expires_at !== null && revoked_at === null && (
        <span class={hasExpired(apiKey) ? "tag bad" : "quiet"}>
          {hasExpired(apiKey) ? "Expired" : "Expires"} <Time at={expires_at} />
        </span>
      )}
      <span class="end">
        {revoked_at !== null ? (
          <span class="tag">
            Revoked <Time at={revoked_at} />
          </span>
        ) : (
          <AskingButton text="Revoke" label={`Revoke ${prefix}`} title={`Revoke ${prefix}…?`} run={revoke}>
            <p>
              Whoever uses this key can no longer act as @{slug}, within five seconds. Requests that wait for
              something new end. Issue another key first if an agent depends on it.
            </p>
            {last_used_at !== null && (
              <p>
                Last used <Time at={last_used_at} />
              </p>
            )}
          </AskingButton>
        )}
      </span>
    </>
  );
}
