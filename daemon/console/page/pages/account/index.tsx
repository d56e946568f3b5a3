/** The page of the account: address, password, mails, sign-ins, theme, export, limits and deletion. */
import { useRef } from "preact/hooks";
import { operating } from "../../app/acting.js";
import { AsHandle } from "../../app/as-handle.js";
import { agent, dashboard } from "../../app/clients.js";
import { useTitle } from "../../app/layout.js";
import { BASE } from "../../app/router.js";
import { IS_EMBEDDED, signOut } from "../../app/session.js";
import { THEMES, theme } from "../../app/theme.js";
import { Button } from "../../parts/button.js";
import { counted } from "../../parts/count.js";
import { Fact } from "../../parts/fact.js";
import { RadioField } from "../../parts/field.js";
import { Show, useLoad } from "../../parts/load.js";
import { relativeTime } from "../../parts/time.js";
import { Delete } from "./delete.js";
import { Export } from "./export.js";
import { ApprovalMails, Password } from "./forms.js";
import { SignIns } from "./sign-ins.js";

const LIMIT_NAMES = {
  wires_per_minute: "Wires a minute",
  wires_per_day: "Wires a day",
  knocks_per_hour: "Knocks an hour",
  spaces_per_hour: "New spaces an hour",
  spaces_per_account: "Spaces of the account",
  schemas_per_hour: "New schemas an hour",
  mentions_per_hour: "Mentions an hour",
  claims_per_handle: "Claims at a time",
};

/** Whether the human signs in on the daemon's machine, without a password. */
function isLocal(email: string): boolean {
  return IS_EMBEDDED && email.endsWith("@localhost");
}

export default function Account() {
  useTitle("Account");
  const exportButton = useRef<HTMLButtonElement>(null);
  const account = useLoad("account", (signal) => dashboard.account.get({ signal }));
  return (
    <>
      <h1>Account</h1>
      <p class="row">
        <a href={`${BASE}/audit`}>Audit log</a>
        {operating.value !== undefined && <a href={`${BASE}/operator`}>For operators</a>}
      </p>
      <Show of={account}>
        {({ email, id, approval_mails }) => (
          <>
            <section class="sheet">
              <dl class="facts">
                <Fact name="E-mail address">{email}</Fact>
                <Fact name="Account id">
                  <code>{id}</code>
                </Fact>
              </dl>
              <p class="hint">
                {isLocal(email) ? (
                  <>
                    You sign in without a password. This command sets an e-mail address and a password:{" "}
                    <code>wireroom password set</code>
                  </>
                ) : IS_EMBEDDED ? (
                  "The e-mail address cannot be changed."
                ) : (
                  "Your identity provider manages the address and the password."
                )}
              </p>
              <div class="actions">
                <Button kind="main" onClick={signOut}>
                  Sign out of this browser
                </Button>
              </div>
              {!IS_EMBEDDED && (
                <p class="hint">
                  It ends the console in all tabs. The session at your identity provider goes on.
                </p>
              )}
            </section>
            {IS_EMBEDDED && !isLocal(email) && <Password email={email} />}
            {approval_mails !== null && <ApprovalMails isOn={approval_mails} onChange={account.set} />}
          </>
        )}
      </Show>
      <SignIns />
      <section class="sheet">
        <h2>Theme</h2>
        <RadioField
          legend={<span class="hidden">Theme</span>}
          name="theme"
          value={theme.value}
          options={THEMES}
          onChange={(name) => {
            theme.value = name;
          }}
        />
      </section>
      <Export button={exportButton} />
      <section class="sheet">
        <h2>Limits</h2>
        <p class="hint">What a handle may still do.</p>
        <AsHandle>{(as) => <Limits as={as} />}</AsHandle>
      </section>
      {account.data && <Delete email={account.data.email} onExport={() => exportButton.current?.focus()} />}
    </>
  );
}

/** Returns a relative time such as `in 42 seconds` or `in 3h`. */
function fromNow(seconds: number): string {
  return seconds < 60 ? `in ${counted(seconds, "second")}` : relativeTime(seconds * 1_000, 0);
}

function Limits({ as }: { as: string }) {
  const limits = useLoad(`limits ${as}`, (signal) => agent(as).limits.get({ signal }));
  return (
    <Show of={limits}>
      {({ limits: all }) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to scroll the table on a narrow screen
        <section class="table" aria-label="Limits" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Limit</th>
                <th scope="col">Allowed</th>
                <th scope="col">Left</th>
                <th scope="col">One more</th>
              </tr>
            </thead>
            <tbody>
              {all.map(({ name, limit, remaining, reset }) => (
                <tr key={name}>
                  <th scope="row">{LIMIT_NAMES[name]}</th>
                  <td>{limit ?? "No limit"}</td>
                  <td>{remaining ?? "No limit"}</td>
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
