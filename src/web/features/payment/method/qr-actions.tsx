import { Download, Share2 } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { isAbort, logError } from "../../../platform/errors.ts";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { FieldError } from "../../../ui/field.tsx";
import { drawQrImage } from "../../../ui/qr-image.ts";

interface QrActionsProps {
  text: string;
  /** Below the code: the amount, and who gets it. */
  lines: string[];
  fileName: string;
}

/** For paying on the same phone: the QR code as a picture, which the bank's app opens from the gallery. */
export function QrActions({ text, lines, fileName }: QrActionsProps): ReactNode {
  const picture = usePicture(text, lines.join("\n"), fileName);
  const [shareError, setShareError] = useState<string>();
  if (!picture) return null;
  const share = async (): Promise<void> => {
    setShareError(undefined);
    try {
      await navigator.share({ files: [picture.file] });
    } catch (thrown) {
      if (isAbort(thrown)) return;
      logError(thrown);
      setShareError("The picture could not be shared. Please save it instead.");
    }
  };
  return (
    <div className="grid w-full gap-2">
      <div className="flex flex-wrap gap-2">
        <a href={picture.url} download={fileName} className={buttonClass("secondary", "regular", "grow")}>
          <Download aria-hidden className="size-4" />
          Save QR image
        </a>
        {canShare(picture.file) && (
          <Button variant="secondary" className="grow" onClick={() => void share()}>
            <Share2 aria-hidden className="size-4" />
            Share QR image
          </Button>
        )}
      </div>
      <FieldError text={shareError} />
    </div>
  );
}

function canShare(file: File): boolean {
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [file] });
}

/** Drawn before it is asked for: a browser lets a page share only right after a tap. */
function usePicture(text: string, caption: string, fileName: string): { file: File; url: string } | undefined {
  const [picture, setPicture] = useState<{ file: File; url: string }>();
  useEffect(() => {
    let url: string | undefined;
    let isWanted = true;
    drawQrImage(text, caption.split("\n")).then((blob) => {
      if (!isWanted) return;
      url = URL.createObjectURL(blob);
      setPicture({ file: new File([blob], fileName, { type: "image/png" }), url });
    }, logError);
    return () => {
      isWanted = false;
      setPicture(undefined);
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [text, caption, fileName]);
  return picture;
}
