import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * A navigation that scrolls sideways on a narrow screen, where the present link could be out of view. Its box
 * must be the place from which its links are measured (`position: relative`).
 */
export function ScrolledNav({
  label,
  current,
  class: className,
  children,
}: {
  label: string;
  /** Names the present link. When it changes, the link is brought into view. */
  current: string | undefined;
  class?: string;
  children: ComponentChildren;
}) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect reads the present link from the navigation
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link) nav.current!.scrollLeft = link.offsetLeft - (nav.current!.clientWidth - link.clientWidth) / 2;
  }, [current]);
  return (
    <nav ref={nav} class={className} aria-label={label}>
      {children}
    </nav>
  );
}
