import { Camera, FileUp } from "lucide-react";
import { useEffect, useId, useRef, type ReactNode, type Ref } from "react";
import { fileSize } from "../platform/format.ts";
import { Button, buttonClass } from "./button.tsx";
import { cx } from "./cx.ts";
import { FieldError } from "./field.tsx";
import { useDroppedFile } from "./use-dropped-file.ts";
import { useMedia } from "./use-media.ts";

interface FilePickerProps {
  label: string;
  hint: ReactNode;
  accept: string;
  file: File | undefined;
  error?: string | undefined;
  disabled?: boolean;
  /** What stands for the chosen file, such as its picture. */
  preview?: ReactNode;
  /** On a touch device a second button takes a picture with the camera. */
  hasCamera?: boolean;
  /** Whether the page has other such fields: then a file must be dropped on this one. */
  isOneOfSeveral?: boolean;
  onPick: (file: File) => void;
  /** Without it a chosen file can only be replaced. */
  onRemove?: () => void;
}

/** Chooses one file by button, keyboard, camera or a drop; the native input stays in charge. */
export function FilePicker(props: FilePickerProps): ReactNode {
  const { label, hint, accept, file, error, disabled = false, preview, hasCamera = false, onPick, onRemove } = props;
  const field = useRef<HTMLDivElement>(null);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isTouch = useMedia("(pointer: coarse)");
  const isOver = useDroppedFile(onPick, disabled, field, !props.isOneOfSeveral);
  useFocusOnError(input, error, disabled);
  const describedBy = error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`;
  const remove = (): void => {
    // The button goes away; the focus stays in the field.
    input.current?.focus();
    onRemove?.();
  };

  return (
    <div className="grid gap-1.5">
      <div
        ref={field}
        className={cx(
          "relative grid gap-4 rounded-control border p-4 transition-colors",
          file === undefined && "border-dashed",
          isOver ? "border-action bg-raised" : "border-control bg-ground",
          error !== undefined && "border-loss",
        )}
      >
        {file && preview}
        <div id={`${id}-hint`} role="status" className="min-w-0 text-small break-words text-muted empty:hidden">
          {file ? <Chosen file={file} /> : hint}
        </div>
        <div className={cx("flex flex-wrap gap-3", disabled && "opacity-60")}>
          <PickButton
            icon={<FileUp aria-hidden className="size-4.5 shrink-0" />}
            label={file ? "Choose another" : label}
            fillsField={file === undefined}
          >
            <PickInput ref={input} {...{ accept, disabled, onPick, describedBy }} isInvalid={error !== undefined} />
          </PickButton>
          {hasCamera && isTouch && (
            <PickButton icon={<Camera aria-hidden className="size-4.5 shrink-0" />} label="Take a photo">
              <PickInput {...{ accept, disabled, onPick }} isCamera />
            </PickButton>
          )}
          {file && onRemove && (
            <Button variant="quiet" disabled={disabled} onClick={remove}>
              Remove
            </Button>
          )}
        </div>
      </div>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

/** When a choice turns out to be of no use and nothing else has the focus, it comes back here. */
function useFocusOnError(input: { current: HTMLInputElement | null }, error: string | undefined, isDisabled: boolean): void {
  useEffect(() => {
    if (error !== undefined && !isDisabled && document.activeElement === document.body) input.current?.focus();
  }, [input, error, isDisabled]);
}

function Chosen({ file }: { file: File }): ReactNode {
  return (
    <>
      <span className="block font-medium text-ink" translate="no">
        {file.name}
      </span>
      <span className="figures">{fileSize(file.size)}</span>
    </>
  );
}

interface PickButtonProps {
  icon: ReactNode;
  label: string;
  /** A click anywhere in the field is one on the button. */
  fillsField?: boolean;
  children: ReactNode;
}

/** A button to the eye, a label to its input. */
function PickButton({ icon, label, fillsField = false, children }: PickButtonProps): ReactNode {
  return (
    <label
      className={buttonClass(
        "secondary",
        "regular",
        cx(
          "text-left has-focus-visible:outline-2 has-focus-visible:outline-action",
          fillsField ? "after:absolute after:inset-0" : "relative",
        ),
      )}
    >
      {icon}
      <span>{label}</span>
      {children}
    </label>
  );
}

interface PickInputProps {
  ref?: Ref<HTMLInputElement>;
  accept: string;
  disabled: boolean;
  describedBy?: string;
  isInvalid?: boolean;
  isCamera?: boolean;
  onPick: (file: File) => void;
}

function PickInput({ ref, accept, disabled, describedBy, isInvalid, isCamera, onPick }: PickInputProps): ReactNode {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      capture={isCamera ? "environment" : undefined}
      disabled={disabled}
      aria-describedby={describedBy}
      aria-invalid={isInvalid ? true : undefined}
      className="sr-only"
      onChange={(event) => {
        const picked = event.target.files?.[0];
        // Emptied, so that picking the same file again after an error is a change again.
        event.target.value = "";
        if (picked) onPick(picked);
      }}
    />
  );
}
