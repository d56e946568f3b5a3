import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.js";
import { Problem } from "../parts/problem.js";
import { Toasts } from "../parts/toast.js";
import { texts } from "../texts/index.js";
import { Layout } from "./layout.js";
import { path } from "./router.js";
import { type Match, routeOf, type View } from "./routes.js";
import { session, signIn, signInProblem, startSession } from "./session.js";

/** The whole page: a sign-in offer, or the layout with the view of the address. */
export function App() {
  switch (session.value) {
    case "starting":
      return (
        <p class="waiting" role="status">
          {texts.loading}
        </p>
      );
    case "unreachable":
      return (
        <Alone title={texts.unreachable.title}>
          <p>{texts.unreachable.text}</p>
          <Button kind="main" onClick={() => startSession()}>
            {texts.tryAgain}
          </Button>
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
        <>
          <Layout>
            <CurrentView />
          </Layout>
          <Toasts />
        </>
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

function CurrentView() {
  const match = routeOf(path.value);
  const [shown, setShown] = useState<{ match: Match; View: View }>();
  const [error, setError] = useState<unknown>();
  const key = match && JSON.stringify([match.pattern, match.params]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the match
  useEffect(() => {
    if (!match) return;
    let isCurrent = true;
    setError(undefined);
    match.load().then(
      ({ default: View }) => isCurrent && setShown({ match, View }),
      (reason: unknown) => isCurrent && setError(reason),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  if (!match) return <NotFound />;
  if (error !== undefined) return <Problem error={error} retry={() => location.reload()} />;
  if (shown?.match.pattern !== match.pattern) return <p role="status">{texts.loading}</p>;
  return <shown.View key={key} params={match.params} />;
}

function NotFound() {
  return (
    <>
      <h1>{texts.notFound.title}</h1>
      <p>{texts.notFound.text(path.value)}</p>
    </>
  );
}
