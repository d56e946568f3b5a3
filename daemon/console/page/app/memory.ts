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

/** Returns a channel between the browser's tabs. It sends nothing if the browser blocks channels. */
export function channelOf(name: string): Pick<BroadcastChannel, "addEventListener" | "postMessage"> {
  try {
    return new BroadcastChannel(name);
  } catch {
    return new MessageChannel().port1 as unknown as BroadcastChannel;
  }
}
