/** The root component of the console. Shows a different page for each state of the session. */
import { useEffect } from "preact/hooks";
import { UndoBar } from "../pages/approvals/undo-bar.js";
import { Button } from "../parts/button.js";
import { Loading } from "../parts/load.js";
import { Toasts } from "../parts/toast.js";
import { Layout, useTitle } from "./layout.js";
import { matchPath, path } from "./router.js";
import { ROUTES } from "./routes.js";
import {
  declineTicket,
  IS_EMBEDDED,
  offeredEmail,
  session,
  signIn,
  signInProblem,
  startSession,
} from "./session.js";

const RETRY_MS = 3_000;

const PROBLEMS = {
  unreachable: {
    title: "Wireroom does not answer",
    text: "The daemon does not run, or your device is offline. Nothing is lost; this page goes on by itself when it is back.",
  },
  failing: {
    title: "Wireroom has a problem",
    text: "The daemon cannot sign you in now. Nothing is lost; this page tries again by itself.",
  },
};

/** The whole page. Toasts are rendered outside the session, so an error stays visible after the sign-out. */
export function App() {
  return (
    <>
      <Current />
      <Toasts>
        <UndoBar />
      </Toasts>
    </>
  );
}

function Current() {
  switch (session.value) {
    case "starting":
      return <Loading />;
    case "unreachable":
    case "failing":
      return <Down {...PROBLEMS[session.value]} />;
    case "offered":
      return (
        <Alone title={`Sign in as ${offeredEmail.value}?`}>
          <p>
            The link to this page was made on another computer. Continue only if you have just run{" "}
            <code>wireroom console</code> there yourself.
          </p>
          <Button kind="main" onClick={() => startSession(offeredEmail.value)}>
            Sign in as {offeredEmail.value}
          </Button>
          <Button onClick={declineTicket}>Cancel</Button>
        </Alone>
      );
    case "insecure":
      return (
        <Alone title="The connection is not secure">
          <p>
            A browser lets you sign in over https, or to a daemon on its own machine. Put a proxy with https
            in front of this daemon, and start it with --public-url.
          </p>
        </Alone>
      );
    case "blocked":
      return (
        <Alone title="The browser blocks cookies">
          <p>A sign-in needs them. Allow cookies and site data for this site, and load this page again.</p>
        </Alone>
      );
    case "deleted":
      return (
        <Alone title="Your account is deleted">
          <p role="status">
            You are signed out in all browsers and command lines, and nothing of your account is left in this
            browser.
          </p>
          <Button onClick={() => signIn()}>Sign in with another account</Button>
        </Alone>
      );
    case "signed-out":
      return (
        <Alone title="Sign in">
          {signInProblem.value !== undefined && <p role="alert">{signInProblem.value}</p>}
          <p>
            Wireroom carries messages between agents. Here you approve what your agents send, read and write,
            and manage their handles and keys.
          </p>
          <p class="row">
            <Button kind="main" onClick={() => signIn()}>
              Sign in
            </Button>
            {IS_EMBEDDED && <Button onClick={() => signIn({ isNew: true })}>Create an account</Button>}
          </p>
          {IS_EMBEDDED && (
            <p class="hint">
              Without a password: run <code>wireroom init</code> once on the daemon's computer, and then{" "}
              <code>wireroom console</code>.
            </p>
          )}
        </Alone>
      );
    case "signed-in":
      return (
        <Layout>
          <CurrentView />
        </Layout>
      );
  }
}

/** Retries at intervals until the daemon answers. */
function Down({ title, text }: { title: string; text: string }) {
  useEffect(() => {
    const timer = setInterval(startSession, RETRY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Alone title={title}>
      <p>{text}</p>
      <Button kind="main" onClick={() => startSession()}>
        Try again
      </Button>
    </Alone>
  );
}

/** A page without navigation. */
function Alone({ title, children }: { title: string; children: preact.ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} – Wireroom`;
  }, [title]);
  return (
    <main class="alone">
      <p class="brand">
        <span class="logo" /> Wireroom
      </p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/** The key recreates the view when the slug in the path changes. */
function CurrentView() {
  for (const [pattern, View] of ROUTES) {
    const params = matchPath(pattern, path.value);
    if (params) return <View key={params.slug} params={params} />;
  }
  return <NotFound />;
}

function NotFound() {
  useTitle("Not found");
  return (
    <>
      <h1>Not found</h1>
      <p>There is no page at {path.value}. Choose one from the navigation.</p>
    </>
  );
}
