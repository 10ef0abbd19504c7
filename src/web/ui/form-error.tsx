import type { ReactNode } from "react";
import { Banner } from "./banner.tsx";

/** The error that concerns a form as a whole. */
export function FormError({ form }: { form: { error: string | undefined; offersHelp: boolean } }): ReactNode {
  const { error, offersHelp } = form;
  return (
    error !== undefined && (
      <Banner tone="loss" offersHelp={offersHelp}>
        {error}
      </Banner>
    )
  );
}
