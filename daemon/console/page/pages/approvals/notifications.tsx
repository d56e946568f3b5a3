/** The notification setting, and the commands that notify a human while the page is closed. */
import { useState } from "preact/hooks";
import { dashboard } from "../../app/clients.js";
import { randomText } from "../../app/clock.js";
import { BASE } from "../../app/router.js";
import { Button, Copy } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { CheckField, SelectField } from "../../parts/field.js";
import { useLoad } from "../../parts/load.js";
import { isNotifying, permission, setNotifying } from "./notify.js";

const SERVICES = { ntfy: "ntfy", slack: "Slack", email: "E-mail" };
type Recipe = keyof typeof SERVICES;

const TEXT = "@$WIREROOM_HANDLE asks to send a $WIREROOM_KIND to $WIREROOM_TARGET";
/** Command lines for `wireroom approval watch --exec`, as in docs/guide/approvals.md. */
const RECIPES: Readonly<Record<Recipe, (topic: string) => string>> = {
  ntfy: (topic) => `curl -fsS https://ntfy.sh/${topic} -H "Click: $WIREROOM_CONSOLE_URL" -d "${TEXT}"`,
  slack: () => `curl -fsS "$SLACK_WEBHOOK_URL" --json "{\\"text\\": \\"${TEXT}: $WIREROOM_CONSOLE_URL\\"}"`,
  email: () => `printf "Subject: %s\\n\\n%s\\n" "${TEXT}" "$WIREROOM_CONSOLE_URL" | sendmail me@example.com`,
};

export function Notifications() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="link" onClick={() => setOpen(true)}>
        Notifications: {isNotifying.value ? "on" : "off"}
      </Button>
      {isOpen && <Settings onClose={() => setOpen(false)} />}
    </>
  );
}

function Settings({ onClose }: { onClose: () => void }) {
  const [recipe, setRecipe] = useState<Recipe>("ntfy");
  const account = useLoad("account", (signal) => dashboard.account.get({ signal }));
  const [topic] = useState(() => `wireroom-${randomText().replace(/\W|_/g, "").slice(0, 16)}`);
  const command = `wireroom approval watch --exec '${RECIPES[recipe](topic)}'`;
  return (
    <Dialog title="Notifications" onClose={onClose}>
      {permission.value === "unsupported" ? (
        <p>
          This browser shows no notifications here. On an iPhone or iPad, first add the page to the home
          screen.
        </p>
      ) : permission.value === "denied" ? (
        <p class="problem">
          The browser blocks notifications of this site. Allow them in the browser’s settings for this site,
          and load this page again.
        </p>
      ) : (
        <CheckField value={isNotifying.value} onChange={(isOn) => void setNotifying(isOn)}>
          Notify me on this device
        </CheckField>
      )}
      <p class="hint">
        They appear while this page or the installed app is open, also in the background. They show the first
        words of what waits.
      </p>
      <h3>While the page is closed</h3>
      {account.data?.approval_mails === false && (
        <p>
          <a href={`${BASE}/account`}>Turn on mails</a> that say how much waits, at most once an hour.
        </p>
      )}
      <p>
        Run this command on a machine on which you are signed in (<code>wireroom login</code>). It sends who
        wants to write to whom, with a link to this page, and no words of agents.
      </p>
      <SelectField label="Send it by" value={recipe} options={SERVICES} onChange={setRecipe} />
      {recipe === "ntfy" && <p>Subscribe to the topic {topic} in the ntfy app on your phone.</p>}
      <pre>{command}</pre>
      <div class="actions">
        <Copy text={command} what="the command" />
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
