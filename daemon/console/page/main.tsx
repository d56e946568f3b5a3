import "./styles/index.css";
import { render } from "preact";
import { followActing } from "./app/acting.js";
import { App } from "./app/app.js";
import { returnTokens } from "./app/clients.js";
import { followConnection } from "./app/connection.js";
import { followDrafts } from "./app/draft.js";
import { keepFocus } from "./app/kept-focus.js";
import { BASE, followAddress } from "./app/router.js";
import { startSession } from "./app/session.js";
import { sendWhenLeft } from "./pages/approvals/answers.js";
import { notifyOfApprovals } from "./pages/approvals/notify.js";
import { followApprovals } from "./pages/approvals/store.js";
import { followWaiting } from "./pages/read/waiting.js";

followAddress();
keepFocus();
followActing();
followConnection();
followDrafts();
followApprovals();
followWaiting();
notifyOfApprovals();
sendWhenLeft();
returnTokens();
render(<App />, document.getElementById("app")!);
startSession();
// On an insecure connection, browsers have no service workers.
navigator.serviceWorker?.register(`${BASE}/worker.js`, { scope: BASE }).catch(() => {});
