/** Announces waiting approvals by the tab's icon and by desktop notifications. */
import { effect, signal } from "@preact/signals";
import { navigate } from "../../app/router.js";
import { visible } from "../../parts/agent-text.js";
import { nameOf, onNewApprovals, pending } from "./store.js";

export const permission = signal<NotificationPermission | "unsupported">(
  "Notification" in globalThis ? Notification.permission : "unsupported",
);

export async function allowNotifications(): Promise<void> {
  permission.value = await Notification.requestPermission();
}

export function notifyOfApprovals(): void {
  const icon = document.querySelector<HTMLLinkElement>("#icon")!;
  const plain = icon.href;
  effect(() => {
    const isWaiting = (pending.value?.length ?? 0) > 0;
    icon.href = isWaiting ? plain.replace("icon.svg", "icon-waiting.svg") : plain;
  });
  onNewApprovals((approvals) => {
    if (permission.value !== "granted" || document.visibilityState === "visible") return;
    const [first] = approvals;
    const { wire, knock } = first!;
    const title = approvals.length === 1 ? nameOf(first!) : `${approvals.length} approvals wait for you`;
    const body = visible(wire?.text_body ?? knock?.intro ?? "");
    // The tag lets each notification replace the previous one.
    const notification = notificationOf(title, { body, tag: "wireroom-approvals", icon: plain });
    if (!notification) return;
    notification.onclick = () => {
      focus();
      navigate(approvals.length === 1 ? `/approvals/${first!.id}` : "/approvals");
      notification.close();
    };
  });
}

/** Returns undefined if only service workers may create notifications, as in Chrome on Android. */
function notificationOf(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    permission.value = "unsupported";
    return undefined;
  }
}
