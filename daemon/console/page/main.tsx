import "./styles/index.css";
import { render } from "preact";
import { App } from "./app/app.js";
import { followAddress } from "./app/router.js";
import { startSession } from "./app/session.js";

followAddress();
render(<App />, document.getElementById("app")!);
startSession();
