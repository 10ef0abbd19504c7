import { useEffect, useRef, useState } from "react";
import { uploadVideo } from "../../platform/uploads.ts";

export interface FilmUpload {
  /** From 0 to 1 while a film is on its way. */
  progress: number | undefined;
  isWaiting: boolean;
  /** Sends a film and answers its upload id; the same film is not sent twice. */
  send: (file: File) => Promise<string>;
  cancel: () => void;
}

export function useFilmUpload(): FilmUpload {
  const [progress, setProgress] = useState<number>();
  const [isWaiting, setWaiting] = useState(false);
  const running = useRef<AbortController>(undefined);
  const done = useRef<{ file: File; id: string }>(undefined);

  const isRunning = progress !== undefined;
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isRunning]);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (file: File): Promise<string> => {
    if (done.current?.file === file) return done.current.id;
    running.current = new AbortController();
    setProgress(0);
    try {
      const id = await uploadVideo(file, { onProgress: setProgress, onWaiting: setWaiting, signal: running.current.signal });
      done.current = { file, id };
      return id;
    } finally {
      running.current = undefined;
      setProgress(undefined);
      setWaiting(false);
    }
  };
  return { progress, isWaiting, send, cancel: () => running.current?.abort() };
}
