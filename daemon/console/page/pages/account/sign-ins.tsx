/** The section that lists where the human is signed in, and ends these sign-ins. */
import type { SignIn } from "@wireroom/sdk";
import { dashboard } from "../../app/clients.js";
import { IS_EMBEDDED } from "../../app/session.js";
import { AskingButton } from "../../parts/dialog.js";
import { List, useList } from "../../parts/list.js";
import { TimeNote } from "../../parts/time.js";
import { showToast } from "../../parts/toast.js";

const CLIENTS = { "wireroom-cli": "Command line", "wireroom-console": "Console" };

/** To end the current browser's sign-in, the human signs out. */
export function SignIns() {
  const signIns = useList("sign-ins", (signal) => dashboard.signIns.list({ limit: 20 }, { signal }));
  const end = async (id?: string) => {
    if (id === undefined) await dashboard.signIns.endOthers();
    else await dashboard.signIns.end({ id });
    showToast(id === undefined ? "All other sign-ins have ended." : "The sign-in has ended.");
    signIns.reload();
  };
  return (
    <section class="sheet">
      <h2>Sign-ins</h2>
      <p class="hint">
        {IS_EMBEDDED
          ? "Where you are signed in. Each is listed for 30 days after its last use."
          : "Where you are signed in to the console. Sign-ins of the command line are at your identity provider, and are not listed."}
      </p>
      <List
        of={signIns}
        empty={null}
        keyOf={({ id }) => id}
        row="row"
        render={(each) => <Row signIn={each} end={() => end(each.id)} />}
      />
      {signIns.data?.items.some(({ current }) => !current) && (
        <AskingButton text="Sign out everywhere else" title="Sign out everywhere else?" run={() => end()}>
          <p>
            All sign-ins but that of this browser end at once, at the command line and in all other browsers.
          </p>
          <Stays />
        </AskingButton>
      )}
    </section>
  );
}

function Row({ signIn, end }: { signIn: SignIn; end: () => Promise<void> }) {
  const { client, created_at, last_used_at, current } = signIn;
  return (
    <>
      <strong>{CLIENTS[client]}</strong>
      <TimeNote text="signed in" at={created_at} />
      <TimeNote text="last used" at={last_used_at} />
      <span class="end">
        {current ? (
          <strong>This browser</strong>
        ) : (
          <AskingButton
            text="Sign out there"
            label={`Sign out there: ${CLIENTS[client]}`}
            title="End this sign-in?"
            run={end}
          >
            <p>It ends at once. Whoever uses it has to sign in again.</p>
            <Stays />
          </AskingButton>
        )}
      </span>
    </>
  );
}

function Stays() {
  return <p>API keys and connected applications keep working. Revoke them at your handles.</p>;
}
