import type { ApiKey, Handle } from "@wireroom/sdk";
import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { nowMs } from "../../app/clock.js";
import type { Params } from "../../app/router.js";
import { Button } from "../../parts/button.js";
import { Copy } from "../../parts/copy.js";
import { Confirmation } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { Show, useLoad } from "../../parts/load.js";
import { Time } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";
import { texts } from "../../texts/index.js";
import { HandleFrame } from "./frame.js";

const DAY_MS = 86_400_000;
/** Days after which a new key may expire; 0 for never. */
const LIFETIMES = [0, 7, 30, 90, 365];

export default function Keys({ params }: { params: Params }) {
  return (
    <HandleFrame slug={params.slug!} tab="keys">
      {(handle) => <Content handle={handle} />}
    </HandleFrame>
  );
}

function Content({ handle }: { handle: Handle }) {
  const keys = useLoad(handle.id, async (signal) => {
    const all: ApiKey[] = [];
    for await (const key of dashboard.keys.list({ limit: 100 }, { signal }))
      if (key.handle_id === handle.id) all.push(key);
    return all;
  });
  const [secret, setSecret] = useState<string>();
  const [revoking, setRevoking] = useState<ApiKey>();
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
      <Show of={keys}>
        {(list) =>
          list.length === 0 ? (
            <p class="quiet">{texts.keys.none}</p>
          ) : (
            <ul class="list">
              {list.map((key) => (
                <Row key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
              ))}
            </ul>
          )
        }
      </Show>
      {revoking && (
        <Confirmation
          title={texts.keys.revokeTitle(revoking.prefix)}
          action={texts.keys.revoke}
          run={async () => {
            await dashboard.keys.revoke({ id: revoking.id });
            if (secret?.startsWith(revoking.prefix)) setSecret(undefined);
            showToast(texts.keys.revoked);
            keys.reload();
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>{texts.keys.revokeText(handle.slug)}</p>
          {revoking.last_used_at !== null && (
            <p>
              {texts.keys.lastUsed} <Time at={revoking.last_used_at} />
            </p>
          )}
        </Confirmation>
      )}
    </>
  );
}

function Issue({ handle, onIssue }: { handle: Handle; onIssue: (key: string) => void }) {
  const [days, setDays] = useState(0);
  return (
    <form class="sheet" onSubmit={(event) => event.preventDefault()}>
      <h2>{texts.keys.issue}</h2>
      <Field label={texts.keys.expires}>
        {(props) => (
          <select {...props} value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {LIFETIMES.map((each) => (
              <option key={each} value={each}>
                {texts.keys.lifetime(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button
        kind="main"
        type="submit"
        onClick={async () => {
          const expires = days > 0 ? { expires_at: new Date(nowMs() + days * DAY_MS).toISOString() } : {};
          onIssue((await dashboard.keys.issue({ handle_id: handle.id, ...expires })).key);
        }}
      >
        {texts.keys.issue}
      </Button>
    </form>
  );
}

/** A new key. The daemon stores only its hash, so nobody can show it again. */
export function Secret({ secret }: { secret: string }) {
  return (
    <section class="done">
      <h2>{texts.keys.secret}</h2>
      <p class="row">
        <code>{secret}</code>
        <Copy text={secret} what={texts.keys.theKey} />
      </p>
      <p>{texts.keys.secretText}</p>
      <p>{texts.keys.use}</p>
    </section>
  );
}

function Row({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { prefix, created_at, expires_at, last_used_at, revoked_at } = apiKey;
  const hasExpired = expires_at !== null && Date.parse(expires_at) <= nowMs();
  return (
    <li class="row">
      <code>{prefix}…</code>
      <span class="quiet">
        {texts.keys.created} <Time at={created_at} />
      </span>
      <span class="quiet">
        {last_used_at === null ? texts.keys.unused : texts.keys.lastUsed}{" "}
        {last_used_at !== null && <Time at={last_used_at} />}
      </span>
      {expires_at !== null && revoked_at === null && (
        <span class={hasExpired ? "tag bad" : "quiet"}>
          {hasExpired ? texts.keys.expired : texts.keys.expires} <Time at={expires_at} />
        </span>
      )}
      <span class="end">
        {revoked_at !== null ? (
          <span class="tag">
            {texts.keys.revokedAt} <Time at={revoked_at} />
          </span>
        ) : (
          <Button kind="danger" label={texts.keys.revokeKey(prefix)} onClick={onRevoke}>
            {texts.keys.revoke}
          </Button>
        )}
      </span>
    </li>
  );
}
