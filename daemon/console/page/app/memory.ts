/** Storage of the browser (`local`) and of the tab (`ofTab`). If the browser blocks it, nothing is stored. */
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
