import * as z from "zod/mini";

/** The first problem of each field, by field name. */
export type FieldErrors = Record<string, string | undefined>;

/** Leads to the first field that has a problem, once it is marked. */
export function focusFirstError(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** Checks a form by the contract's own schema, so that the browser and the server never differ. */
export function checkForm<Schema extends z.core.$ZodType>(
  schema: Schema,
  values: unknown,
): { data: z.output<Schema>; errors?: undefined } | { data?: undefined; errors: FieldErrors } {
  const result = z.safeParse(schema, values);
  if (result.success) return { data: result.data };
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? "");
    errors[field] ??= issue.message.startsWith("Invalid") ? "Please check this field." : issue.message;
  }
  console.error(new Error(`The form is not complete: ${Object.keys(errors).join(", ")}`));
  return { errors };
}
