/** Announces waiting approvals by the tab's icon and by notifications of the device. */
import { computed, effect, signal } from "@preact/signals";
import { local } from "../../app/memory.js";
import { BASE, navigate } from "../../app/router.js";
import { visible } from "../../parts/agent-text.js";
import { nameOf, onNewApprovals, pending } from "./store.js";

const KEY = "wireroom-notify";

/** Only service workers may create notifications in Chrome on Android, and they can in all browsers. */
export const permission = signal<NotificationPermission | "unsupported">(
  "Notification" in globalThis && "serviceWorker" in navigator ? Notification.permission : "unsupported",
);
const isMuted = signal(local.getItem(KEY) === "off");
export const isNotifying = computed(() => permission.value === "granted" && !isMuted.value);

export async function setNotifying(isOn: boolean): Promise<void> {
  if (isOn) permission.value = await Notification.requestPermission();
  isMuted.value = !isOn;
  if (isOn) local.removeItem(KEY);
  else local.setItem(KEY, "off");
}

export function notifyOfApprovals(): void {
  const icon = document.querySelector<HTMLLinkElement>("#icon")!;
  const plain = icon.href;
  effect(() => {
    const isWaiting = (pending.value?.length ?? 0) > 0;
    icon.href = isWaiting ? plain.replace("icon.svg", "icon-waiting.svg") : plain;
  });
  onNewApprovals(async (approvals) => {
    if (!isNotifying.value || document.visibilityState === "visible") return;
    const [first] = approvals;
    const { id, wire, knock } = first!;
    const isOne = approvals.length === 1;
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification(isOne ? nameOf(first!) : `${approvals.length} approvals wait for you`, {
      body: visible(wire?.text_body ?? knock?.intro ?? ""),
      // The tag lets each notification replace the previous one.
      tag: "wireroom-approvals",
      icon: plain,
      data: `${BASE}/approvals${isOne ? `/${id}` : ""}`,
    });
  });
  // After a tap on a notification, the worker sends the notification's address.
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<string>) =>
    navigate(data.slice(BASE.length)),
  );
}
