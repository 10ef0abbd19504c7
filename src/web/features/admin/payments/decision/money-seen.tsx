import type { ComponentProps, ReactNode } from "react";
import { Checkbox } from "../../../../ui/field.tsx";

/** The tick without which nothing is approved (REVIEW-3). */
export function MoneySeen({ children, ...rest }: Omit<ComponentProps<typeof Checkbox>, "label">): ReactNode {
  return <Checkbox {...rest} label={<>I have seen the money arrive{children}</>} />;
}
