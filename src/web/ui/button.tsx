import { useLayoutEffect, useRef, type ComponentProps, type ReactNode } from "react";
import { Link } from "react-router";
import { cx } from "./cx.ts";
import { Spinner } from "./spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "link" | "danger";
export type ButtonSize = "large" | "regular" | "small" | "compact";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-action text-on-action hover:bg-action-strong font-semibold disabled:bg-raised disabled:text-muted",
  secondary: "border border-control bg-surface text-ink hover:border-action hover:text-action disabled:text-muted",
  quiet: "text-muted hover:bg-raised hover:text-ink",
  link: "text-action underline-offset-4 hover:underline",
  danger: "border border-control bg-surface text-loss hover:border-loss hover:bg-loss-soft disabled:text-muted",
};

const sizes: Record<ButtonSize, string> = {
  large: "min-h-13 px-6 py-2 text-body",
  regular: "min-h-11 px-4 py-2 text-small",
  small: "min-h-11 px-3 py-1 text-small",
  compact: "min-h-9 px-3 py-1 text-small",
};

/** Returns the class names of a button, for any element that looks like one. */
export function buttonClass(variant: ButtonVariant = "primary", size: ButtonSize = "regular", more?: string): string {
  return cx(
    "inline-flex items-center justify-center gap-2 rounded-control text-center font-medium transition-colors",
    variants[variant],
    sizes[size],
    more,
  );
}

interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
}

interface ButtonProps extends ComponentProps<"button">, ButtonLook {
  /** While it works: disabled, with a spinner. */
  isBusy?: boolean | undefined;
}

export function Button(props: ButtonProps): ReactNode {
  const { variant, size, className, type = "button", isBusy = false, disabled = false, children, ...rest } = props;
  const isDisabled = disabled || isBusy;
  useKeptFocus(isDisabled);
  return (
    <button type={type} className={buttonClass(variant, size, className)} disabled={isDisabled} {...rest}>
      {isBusy && <Spinner />}
      {/* React replaces a sole text also where the browser has translated it. */}
      <span className="contents">{children}</span>
    </button>
  );
}

/** A button that is disabled while it works loses the focus; it gets it back unless the focus has gone elsewhere. */
function useKeptFocus(isDisabled: boolean): void {
  const loser = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (isDisabled) loser.current = focused instanceof HTMLButtonElement && focused.disabled ? focused : null;
    else if (focused === document.body) loser.current?.focus();
  }, [isDisabled]);
}

/** A link that leads within the site, with the look of a button. */
export function ButtonLink({ variant, size, className, ...rest }: ComponentProps<typeof Link> & ButtonLook): ReactNode {
  return <Link className={buttonClass(variant, size, className)} {...rest} />;
}

/** A square button that shows an icon alone; `label` names it. */
export function IconButton({ label, className, children, ...rest }: ComponentProps<"button"> & { label: string }): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        "inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted transition-colors",
        "hover:bg-raised hover:text-ink",
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
