/** What the browser keeps between visits, and in the tab. If the browser blocks this, the page forgets it. */
export const local = storageOf("localStorage");
export const ofTab = storageOf("sessionStorage");

function storageOf(
  name: "localStorage" | "sessionStorage",
): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    return window[name];
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}
