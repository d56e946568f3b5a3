import { useRef } from "preact/hooks";
import { AsHandle } from "../../app/as-handle.js";
import { agent, dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE } from "../../app/router.js";
import { signOut } from "../../app/session.js";
import { THEMES, theme } from "../../app/theme.js";
import { Button } from "../../parts/button.js";
import { Show, useLoad } from "../../parts/load.js";
import { relativeTime } from "../../parts/time.js";
import { texts } from "../../texts/index.js";
import { Delete } from "./delete.js";
import { Export } from "./export.js";
import { Password } from "./password.js";
import { SignIns } from "./sign-ins.js";

/** Where the humans come from. With an external provider, the daemon knows no password. */
const IS_EMBEDDED =
  document.querySelector<HTMLMetaElement>('meta[name="wireroom-identity"]')?.content === "embedded";

export default function Account() {
  useTitle(texts.sections.account);
  const exportButton = useRef<HTMLButtonElement>(null);
  const account = useLoad("account", (signal) => dashboard.account.get({ signal }));
  return (
    <>
      <h1>{texts.sections.account}</h1>
      <Show of={account}>
        {({ email, id }) => (
          <>
            <section class="sheet">
              <dl class="facts">
                <dt>{texts.account.email}</dt>
                <dd>{email}</dd>
                <dt>{texts.account.id}</dt>
                <dd>
                  <code>{id}</code>
                </dd>
              </dl>
              <p class="hint">{IS_EMBEDDED ? texts.account.emailHint : texts.account.external}</p>
              <div class="actions">
                <Button onClick={signOut}>{texts.account.signOut}</Button>
              </div>
              {!IS_EMBEDDED && <p class="hint">{texts.account.signOutExternal}</p>}
            </section>
            {IS_EMBEDDED && <Password email={email} />}
          </>
        )}
      </Show>
      <SignIns isEmbedded={IS_EMBEDDED} />
      <section class="sheet">
        <h2>{texts.theme.label}</h2>
        <fieldset>
          <legend class="hidden">{texts.theme.label}</legend>
          {THEMES.map((name) => (
            <label key={name} class="check">
              <input
                type="radio"
                name="theme"
                checked={theme.value === name}
                onChange={() => {
                  theme.value = name;
                }}
              />
              {texts.theme[name]}
            </label>
          ))}
        </fieldset>
      </section>
      <Export button={exportButton} />
      <section class="sheet">
        <h2>{texts.account.limits}</h2>
        <p class="hint">{texts.account.limitsHint}</p>
        <AsHandle>{(as) => <Limits as={as} />}</AsHandle>
      </section>
      <p>
        <a href={`${BASE}/operator`}>{texts.operator.title}</a>
      </p>
      {account.data && <Delete email={account.data.email} onExport={() => exportButton.current?.focus()} />}
    </>
  );
}

/** Returns a time such as `in 42 seconds` or `in 3 hours`. */
function fromNow(seconds: number): string {
  return seconds < 60 ? texts.account.inSeconds(seconds) : relativeTime(seconds * 1_000, 0);
}

function Limits({ as }: { as: string }) {
  const limits = useLoad(as, (signal) => agent(as).limits.get({ signal }));
  return (
    <Show of={limits}>
      {({ limits: all }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll the table on a narrow screen
        <section class="table" aria-label={texts.account.limits} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {texts.account.limitColumns.map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {all.map(({ name, limit, remaining, reset }) => (
                <tr key={name}>
                  <th scope="row">{texts.account.limitNames[name]}</th>
                  <td>{limit ?? texts.account.unlimited}</td>
                  <td>{remaining ?? texts.account.unlimited}</td>
                  <td>{reset ? fromNow(reset) : ""}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Show>
  );
}
