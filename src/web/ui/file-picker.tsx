import { FileUp } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";
import { cx } from "./cx.ts";
import { FieldError } from "./field.tsx";

interface FilePickerProps {
  label: string;
  hint: string;
  accept: string;
  file: File | undefined;
  error?: string | undefined;
  disabled?: boolean;
  /** What stands for the chosen file, such as its picture. */
  preview?: ReactNode;
  onPick: (file: File | undefined) => void;
}

/** Chooses one file by button, keyboard or drop; the native input stays in charge. */
export function FilePicker({ label, hint, accept, file, error, disabled, preview, onPick }: FilePickerProps): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div className="grid gap-1.5">
      <label
        htmlFor={id}
        className={cx(
          "flex items-center gap-4 rounded-control border border-dashed p-4 transition-colors",
          "has-focus-visible:outline-2 has-focus-visible:outline-action",
          isOver ? "border-action bg-raised" : "border-control bg-ground hover:border-action",
          error !== undefined && "border-loss",
        )}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer.files[0];
          if (dropped && !disabled) onPick(dropped);
        }}
      >
        {preview ?? <FileUp aria-hidden className="size-6 shrink-0 text-action" />}
        <span className="min-w-0 grow">
          <span className="block font-medium">{label}</span>
          <span className="block text-small break-words text-muted" id={`${id}-hint`}>
            {file ? file.name : hint}
          </span>
        </span>
        <input
          ref={input}
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
          aria-invalid={error === undefined ? undefined : true}
          className="sr-only"
          onChange={(event) => {
            onPick(event.target.files?.[0]);
            // Emptied, so that picking the same file again after an error is a change again.
            event.target.value = "";
          }}
        />
      </label>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
