import { useEffect, useEffectEvent } from "react";

/** Takes a picture that is pasted anywhere on the page; a text pasted into a field stays the field's. */
export function usePastedImage(onPaste: (file: File) => void, isOff: boolean): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const clipboard = event.clipboardData;
    const image = [...(clipboard?.files ?? [])].find(({ type }) => type.startsWith("image/"));
    if (isOff || !image) return;
    // Office programs put a picture of the text beside the text.
    if (takesText(event.target) && clipboard?.types.includes("text/plain")) return;
    event.preventDefault();
    onPaste(image);
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => take(event);
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}

function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
}

/** The keys that paste on this computer. */
export const pasteKeys = (): string => (/Mac/.test(navigator.userAgent) ? "⌘V" : "Ctrl+V");
