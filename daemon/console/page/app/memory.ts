/**
 * Storage of the browser (`local`) and of the tab (`ofTab`), and channels between tabs. If the browser blocks
 * them, nothing is stored or sent.
 */
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

export type Channel = Pick<BroadcastChannel, "addEventListener" | "postMessage" | "close">;

export function channelOf(name: string): Channel {
  try {
    return new BroadcastChannel(name);
  } catch {
    return { addEventListener() {}, postMessage() {}, close() {} };
  }
}
