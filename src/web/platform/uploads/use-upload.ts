import { useEffect, useRef, useState } from "react";
import type { ErrorCode } from "#domain/errors/messages";
import { productErrorOf } from "../errors.ts";
import { uploadFile } from "./upload-file.ts";

const uploadIsGone: ErrorCode[] = ["upload_not_found", "upload_used"];

export interface FileUpload {
  /** From 0 to 1 while a file is on its way; undefined before and after. */
  progress: number | undefined;
  /** There while the connection is gone. */
  tryNow: (() => void) | undefined;
  /** Sends a file and returns its upload id; the same file is not sent twice. Rejects with an `AbortError` when cancelled. */
  send: (file: File) => Promise<string>;
  cancel: () => void;
  /** Takes the error of a call with the upload id; where the upload is of no use any more, the next `send` sends again. */
  forgetIfGone: (thrown: unknown) => void;
}

/**
 * The one upload of a form, to a bucket of the server. Closing the tab meanwhile asks first; unmounting cancels it.
 * `outlivesPage`: whether it can go on after a reload.
 */
export function useUpload(bucketName: string, { outlivesPage }: { outlivesPage: boolean }): FileUpload {
  const [progress, setProgress] = useState<number>();
  const [tryNow, setTryNow] = useState<() => void>();
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
      const id = await uploadFile(bucketName, file, {
        outlivesPage,
        onProgress: setProgress,
        onWaiting: (way) => setTryNow(() => way),
        signal: running.current.signal,
      });
      done.current = { file, id };
      return id;
    } finally {
      running.current = undefined;
      setProgress(undefined);
      setTryNow(undefined);
    }
  };
  return {
    progress,
    tryNow,
    send,
    cancel: () => running.current?.abort(),
    forgetIfGone: (thrown) => {
      if (uploadIsGone.includes(productErrorOf(thrown).code)) done.current = undefined;
    },
  };
}
