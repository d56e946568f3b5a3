import { useEffect } from "preact/hooks";
import { Button } from "../parts/button.js";
import { Toasts } from "../parts/toast.js";
import { texts } from "../texts/index.js";
import { Layout } from "./layout.js";
import { path } from "./router.js";
import { routeOf } from "./routes.js";
import { session, signIn, signInProblem, startSession } from "./session.js";

/** The whole page. A message may outlive the session, for example that an answer was not sent. */
export function App() {
  return (
    <>
      <Current />
      <Toasts />
    </>
  );
}

/** A sign-in offer, or the layout with the view of the URL. */
function Current() {
  switch (session.value) {
    case "starting":
      return (
        <p class="waiting" role="status">
          {texts.loading}
        </p>
      );
    case "unreachable":
    case "failing":
      return (
        <Alone title={texts[session.value].title}>
          <p>{texts[session.value].text}</p>
          <Button kind="main" onClick={() => startSession()}>
            {texts.tryAgain}
          </Button>
        </Alone>
      );
    case "insecure":
      return (
        <Alone title={texts.insecure.title}>
          <p>{texts.insecure.text}</p>
        </Alone>
      );
    case "deleted":
      return (
        <Alone title={texts.deletion.doneTitle}>
          <p role="status">{texts.deletion.doneText}</p>
          <Button onClick={() => signIn()}>{texts.deletion.startAnew}</Button>
        </Alone>
      );
    case "signed-out":
      return (
        <Alone title={texts.signIn.title}>
          {signInProblem.value !== undefined && (
            <p role="alert">{texts.signIn.failed(signInProblem.value)}</p>
          )}
          <p>{texts.signIn.text}</p>
          <Button kind="main" onClick={() => signIn()}>
            {texts.signIn.button}
          </Button>
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

/** A page without navigation. */
function Alone({ title, children }: { title: string; children: preact.ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} – Wireroom`;
  }, [title]);
  return (
    <main class="alone">
      <p class="brand">Wireroom</p>
      <h1>{title}</h1>
      {children}
    </main>
  );
}

/**
 * The view of the address. It is made anew for another handle or space, whose slug is in the path; the other
 * parameters only choose what it shows.
 */
function CurrentView() {
  const match = routeOf(path.value);
  if (!match) return <NotFound />;
  return <match.View key={match.params.slug} params={match.params} />;
}

function NotFound() {
  return (
    <>
      <h1>{texts.notFound.title}</h1>
      <p>{texts.notFound.text(path.value)}</p>
    </>
  );
}
