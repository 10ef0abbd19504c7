import { useEffect, useEffectEvent, useState } from "react";

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/**
 * Takes a file that is dropped anywhere on the page, so that one that misses the field does not make the browser leave for it.
 * True while one is dragged over the page.
 */
export function useDroppedFile(onDrop: (file: File) => void, isOff: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((file: File | undefined) => {
    if (file && !isOff) onDrop(file);
  });
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      // Without a related target the pointer has left the window, not only an element of it.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      take(event.dataTransfer?.files[0]);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, []);
  return isOver && !isOff;
}
