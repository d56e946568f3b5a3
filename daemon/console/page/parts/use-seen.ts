import { useEffect, useRef, useState } from "preact/hooks";

/** Returns a ref for an element, and whether the element has been in the window. */
export function useSeen<Seen extends Element>() {
  const ref = useRef<Seen>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(true);
      observer.disconnect();
    });
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return [ref, isSeen] as const;
}
