import { errors, type ErrorCode } from "#domain/messages";

/** The field that a refusal of the auth service speaks of; whatever is not here concerns the whole form. */
const fields: Partial<Record<ErrorCode, "full_name" | "email" | "password">> = {
  full_name_missing: "full_name",
  full_name_invalid: "full_name",
  email_invalid: "email",
  email_reserved: "email",
  password_weak: "password",
  password_too_long: "password",
  password_same: "password",
};

/** The auth protocol brings texts, not codes. */
const byText = new Map(Object.entries(fields).map(([code, field]) => [errors[code as ErrorCode].text as string, field]));

export function fieldOfFault(text: string | undefined): string | undefined {
  return text === undefined ? undefined : byText.get(text);
}

/** Leads to the field once the form can be used again. */
export function focusField(form: HTMLFormElement, field: string | undefined): void {
  if (field !== undefined) requestAnimationFrame(() => form.querySelector<HTMLElement>(`[name="${field}"]`)?.focus());
}
