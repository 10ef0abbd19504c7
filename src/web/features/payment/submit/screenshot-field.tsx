import { FileImage } from "lucide-react";
import { useCallback, useState, type ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { checkScreenshotFile } from "#domain/files/chosen-file";
import { logError, messageOf } from "../../../platform/errors.ts";
import { FilePicker } from "../../../ui/file-picker.tsx";
import { useMedia } from "../../../ui/use-media.ts";
import { pasteKeys, usePastedImage } from "../../../ui/use-pasted-image.ts";

interface ScreenshotFieldProps {
  label?: string;
  file: File | undefined;
  error: string | undefined;
  disabled: boolean;
  /** A file must be smaller than this. */
  maxBytes: number;
  /** A file that passed the form's check, or none and why. */
  onChange: (file: File | undefined, error?: string) => void;
}

/** The proof of payment: dropped, chosen, pasted, or taken with the phone's camera. */
export function ScreenshotField(props: ScreenshotFieldProps): ReactNode {
  const { label = "Choose the payment screenshot", file, error, disabled, maxBytes, onChange } = props;
  const hasPointer = useMedia("(any-pointer: fine)");
  const pick = (picked: File): void => {
    try {
      checkScreenshotFile(picked, maxBytes);
      onChange(picked);
    } catch (thrown) {
      logError(thrown);
      onChange(undefined, messageOf(thrown, "unexpected"));
    }
  };
  usePastedImage(pick, disabled);

  return (
    <FilePicker
      label={label}
      hint={
        <>
          <span className="block">An image {texts.payment.uploadLimit}</span>
          {hasPointer && <span className="block">Choose it, drop it here, or paste it with {pasteKeys()}.</span>}
        </>
      }
      accept="image/*"
      file={file}
      error={error}
      disabled={disabled}
      preview={file && <Preview file={file} />}
      hasCamera
      onPick={pick}
      onRemove={() => onChange(undefined)}
    />
  );
}

/** The picture, large enough to recognise the receipt; what the browser cannot draw, such as HEIC, has a sign instead. */
function Preview({ file }: { file: File }): ReactNode {
  const [undrawable, setUndrawable] = useState<File>();
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  if (undrawable === file) {
    return (
      <p className="flex items-center gap-3 rounded-control border border-line bg-surface px-4 py-6 text-small text-muted">
        <FileImage aria-hidden className="size-8 shrink-0 text-action" />
        This browser cannot show this kind of picture. It will be sent as it is.
      </p>
    );
  }
  return (
    <img
      ref={show}
      alt="Your chosen screenshot"
      draggable={false}
      className="max-h-96 min-h-24 w-full rounded-control border border-line bg-surface object-contain"
      onError={() => setUndrawable(file)}
    />
  );
}
