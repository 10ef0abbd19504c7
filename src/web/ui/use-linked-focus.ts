import { useEffect } from "react";
import { useLocation } from "react-router";

/** Moves the focus to the element of an id, at the top of the screen, when it is rendered or navigated to while the address ends with that id. */
export function useLinkedFocus(id: string): void {
  const location = useLocation();
  useEffect(() => {
    if (location.hash !== `#${id}`) return;
    const target = document.getElementById(id);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "start", behavior: "instant" });
  }, [location, id]);
}
