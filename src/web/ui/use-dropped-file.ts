import { useEffect, useEffectEvent, useState, type RefObject } from "react";

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/**
 * Takes a file that is dropped on `field`, or with `takesAnywhere` anywhere on the page while the field is displayed, as it is not in
 * a hidden tab. The browser never leaves for a dropped file. True while one is dragged over the place.
 */
export function useDroppedFile(
  onDrop: (file: File) => void,
  isOff: boolean,
  field: RefObject<HTMLElement | null>,
  takesAnywhere: boolean,
): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((file: File | undefined) => {
    if (file && !isOff) onDrop(file);
  });
  useEffect(() => {
    const isHere = ({ target }: DragEvent): boolean => {
      const place = takesAnywhere ? field.current?.closest("[hidden]") === null : field.current?.contains(target as Node);
      return place === true;
    };
    const over = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(isHere(event));
    };
    const leave = (event: DragEvent): void => {
      // Without a related target the pointer has left the window, not only an element of it.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (isHere(event)) take(event.dataTransfer?.files[0]);
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, [field, takesAnywhere]);
  return isOver && !isOff;
}
