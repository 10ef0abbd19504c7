import type { ComponentProps, ReactNode } from "react";
import * as z from "zod/mini";
import { codeLength, digitsOf } from "#domain/accounts/verification";
import { code } from "#domain/api/fields";
import { TextField } from "../../ui/field.tsx";

/** What a form with a `CodeField` holds. */
export const CodeForm = z.object({ code: z.string().check(z.minLength(codeLength, code("verification_code_incomplete"))) });

interface CodeFieldProps extends Omit<ComponentProps<typeof TextField>, "onChange"> {
  onCode: (code: string) => void;
}

/** Takes a code of digits. */
export function CodeField({ onCode, ...rest }: CodeFieldProps): ReactNode {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      className="figures"
      {...rest}
      onChange={(event) => onCode(digitsOf(event.target.value))}
    />
  );
}
