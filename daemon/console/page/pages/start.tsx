import { useTitle } from "../app/layout.js";
import { texts } from "../texts/index.js";

/** The first page. */
export default function Start() {
  useTitle(texts.start.title);
  return <h1>{texts.start.title}</h1>;
}
