import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import { useForm } from "../platform/form.ts";
import { cx } from "./cx.ts";
import { FieldError } from "./field.tsx";

interface InlineTextProps {
  text: string;
  /** What is changed, for the field's name. */
  label: string;
  schema: z.core.$ZodType<string>;
  /** Saves another text; the field stays open, with the error, when it rejects. */
  onSave: (text: string) => Promise<unknown>;
  className?: string;
}

/** A text that is changed in its place: Enter or leaving the field saves it, Escape leaves it as it was. The focus stays there. */
export function InlineText({ text, label, schema, onSave, className }: InlineTextProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLDivElement>(null);
  const close = (): void => {
    const hadFocus = field.current?.contains(document.activeElement);
    flushSync(() => setOpen(false));
    if (hadFocus) opener.current?.focus();
  };
  if (isOpen) {
    return (
      <div ref={field} className={cx("grid grow gap-1", className)}>
        <InlineField text={text} label={label} schema={schema} onSave={onSave} onClose={close} />
      </div>
    );
  }
  return (
    <button
      ref={opener}
      type="button"
      title={`${label}: press to change`}
      className={cx(
        "min-h-9 rounded-control text-left wrap-anywhere decoration-control decoration-dotted underline-offset-4 hover:underline",
        className,
      )}
      onClick={() => setOpen(true)}
    >
      {text}
    </button>
  );
}

type InlineFieldProps = Omit<InlineTextProps, "className"> & { onClose: () => void };

function InlineField({ text, label, schema, onSave, onClose }: InlineFieldProps): ReactNode {
  // It may be changed elsewhere while the field is open.
  const [opened] = useState(text);
  const form = useForm({
    initial: { text },
    schema: z.object({ text: schema }),
    mutationFn: async ({ text: changed }) => {
      if (changed !== opened) await onSave(changed);
    },
    onSuccess: onClose,
  });
  const { value, error = form.error, ...wiring } = form.field("text");
  // The browser may report that a removed field has lost the focus.
  const isLeft = useRef(false);
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <input
        {...wiring}
        value={value}
        aria-label={label}
        aria-invalid={error === undefined ? undefined : true}
        readOnly={form.isPending}
        autoFocus
        autoComplete="off"
        className="min-h-9 w-full rounded-control border border-control bg-surface px-2 aria-invalid:border-loss"
        onFocus={({ currentTarget }) => currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || form.isPending) return;
          isLeft.current = true;
          onClose();
        }}
        onBlur={({ currentTarget }) => {
          // It keeps the focus of a window that is left for another one.
          const isOfWindow = document.activeElement === currentTarget;
          if (!isLeft.current && !isOfWindow && error === undefined) form.submit();
        }}
      />
      <FieldError text={error} />
    </form>
  );
}
