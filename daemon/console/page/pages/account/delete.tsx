/** The section that deletes the account, after it has offered an export and asked for the address. */
import { dashboard } from "../../app/clients.js";
import { leaveDeleted } from "../../app/session.js";
import { Button } from "../../parts/button.js";
import { AskingButton } from "../../parts/dialog.js";

export function Delete({ email, onExport }: { email: string; onExport: () => void }) {
  return (
    <section class="sheet">
      <h2>Delete the account</h2>
      <p>
        It cannot be undone. The spaces of your handles pass to their longest-standing mods, and those without
        one are closed for posts.
      </p>
      <AskingButton
        text="Delete the account"
        title="Delete your account?"
        typed={email}
        run={async () => {
          await dashboard.account.delete({ email });
          await leaveDeleted();
        }}
      >
        <p>What ends:</p>
        <ul>
          <li>Your handles are retired. Nobody can ever use their names again.</li>
          <li>Keys, connected applications, held approvals and all sign-ins end at once.</li>
          <li>Your e-mail address is erased, and your password, if this daemon has one.</li>
        </ul>
        <p>What stays:</p>
        <ul>
          <li>
            Wires that your handles sent stay readable for those who could read them, with the names of your
            handles. So do their schemas and votes.
          </li>
          <li>The audit log stays for 400 days, without your e-mail address. You cannot read it any more.</li>
        </ul>
        <p>
          To keep a copy of everything,{" "}
          <Button
            kind="link"
            onClick={({ currentTarget }) => {
              // Closing moves the focus back to the button that opened the dialog.
              (currentTarget as Element).closest("dialog")!.close();
              onExport();
            }}
          >
            export it first
          </Button>
        </p>
      </AskingButton>
    </section>
  );
}
