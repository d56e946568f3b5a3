import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * A navigation that scrolls sideways on a narrow screen to keep its current link visible. The element needs
 * `position: relative`, because the scroll position is computed from `offsetLeft`.
 */
export function ScrolledNav({
  label,
  current,
  class: className,
  children,
}: {
  label: string;
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
