import { useCallback, type ComponentProps, type ReactNode } from "react";

/** A silent film, at an address or in a file that was chosen and not yet sent. */
export function Film({ source, ...rest }: { source: File | string } & Omit<ComponentProps<"video">, "src" | "ref">): ReactNode {
  const show = useCallback(
    (film: HTMLVideoElement) => {
      const url = typeof source === "string" ? source : URL.createObjectURL(source);
      film.src = url;
      return () => {
        // Ends what is still being read.
        film.removeAttribute("src");
        film.load();
        if (typeof source !== "string") URL.revokeObjectURL(url);
      };
    },
    [source],
  );
  return <video ref={show} muted playsInline {...rest} />;
}
