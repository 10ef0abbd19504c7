import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import * as z from "zod/mini";
import { errorOfIssue } from "#domain/errors/input-errors";
import type { ErrorCode } from "#domain/errors/messages";
import { isAbort, isBeyondUser, logError, messageOf, productErrorOf } from "./errors.ts";

interface FormOptions<Values, Data, Result> {
  initial: Values;
  /** Checks the values in the browser, as the contract's schema does on the server. */
  schema: z.core.$ZodType<Data>;
  /** Sends what the schema made of the values. */
  mutationFn: (data: Data) => Promise<Result>;
  /** The form is pending until what it returns is settled. */
  onSuccess?: (result: Result) => unknown;
  /**
   * Called after `onSuccess`, to close a form that may be sent again. Not called where it was edited since the submit, so that nothing typed is
   * lost, nor once it is gone.
   */
  onDone?: (result: Result) => void;
  onError?: (error: Error) => unknown;
  /** The field that an error concerns; all others concern the form as a whole. */
  fieldOfCode?: Partial<Record<ErrorCode, keyof Values>>;
  /** Whose text is used where the server sent none. */
  fallback?: ErrorCode;
  /** As `meta` of the query client has it. */
  holdsEvents?: boolean;
}

/** A form: its values, and a mutation that checks and sends them. Errors and pending state are the mutation's. */
export function useForm<Values, Data, Result>(options: FormOptions<Values, Data, Result>) {
  const { initial, schema, mutationFn, onSuccess, onDone, onError, fieldOfCode = {}, fallback = "unexpected" } = options;
  const { holdsEvents = false } = options;
  const [values, setValues] = useState(initial);
  // What the fields were filled with, or was sent since: `initial` may follow a list that is read again.
  const [filled, setFilled] = useState(initial);
  // Fields that were edited after the last submit: its errors no longer concern them.
  const [edited, setEdited] = useState<ReadonlySet<keyof Values>>(new Set());
  const element = useRef<HTMLFormElement>(null);
  const latest = useRef<Values>(undefined);
  useEffect(() => {
    latest.current = values;
    return () => void (latest.current = undefined);
  }, [values]);
  const mutation = useMutation({
    mutationFn: (given: Values) => mutationFn(checked(schema, given, datesInPart(element.current))),
    onSuccess: async (result, sent) => {
      setFilled(sent);
      await onSuccess?.(result);
      if (latest.current === sent) onDone?.(result);
    },
    onError: (error) => onError?.(error),
    meta: { holdsEvents },
  });

  const problems = problemsOf(mutation.error, fieldOfCode as Record<string, string>, fallback);
  // An error whose field is not displayed, or edited since, is said of the form as a whole, since nothing fails silently.
  const [undisplayed, setUndisplayed] = useState<Error | null>(null);
  useEffect(() => {
    if (!mutation.error || !element.current) return;
    const wrong = element.current.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else setUndisplayed(mutation.error);
  }, [mutation.error]);
  const wholeError = problems[""] ?? (undisplayed === mutation.error ? Object.values(problems)[0] : undefined);

  const set = (changes: Partial<Values>): void => {
    setValues((before) => ({ ...before, ...changes }));
    setEdited((before) => new Set([...before, ...(Object.keys(changes) as (keyof Values)[])]));
  };
  const submit = (): void => {
    if (mutation.isPending) return;
    setEdited(new Set());
    mutation.mutate(values);
  };
  const errorOf = (name: keyof Values): string | undefined => (edited.has(name) ? undefined : problems[name as string]);

  return {
    values,
    set,
    errorOf,
    /** Props of a text field or a select. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      error: errorOf(name),
      onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    /** What concerns the form as a whole. */
    error: wholeError,
    offersHelp: wholeError !== undefined && !(mutation.error instanceof InvalidForm) && isBeyondUser(mutation.error),
    isPending: mutation.isPending,
    /** Undefined until a submit succeeds, and again after an edit. */
    result: edited.size === 0 ? mutation.data : undefined,
    submit,
    onSubmit: (event: SubmitEvent<HTMLFormElement>): void => {
      event.preventDefault();
      element.current = event.currentTarget;
      submit();
    },
    /** Forgets the errors and the result of the last submit; the values stay. */
    clear: mutation.reset,
    /** Whether a field differs from what it was filled with, or saved since. What is being sent counts too, since it may be refused. */
    isUnsaved: (Object.keys(values as object) as (keyof Values)[]).some((name) => values[name] !== filled[name]),
    /** Replaces the values; not an edit. */
    replaceValues: (next: Values): void => {
      setValues(next);
      setFilled(next);
    },
    /** Starts again with the initial values. */
    reset: (): void => {
      setValues(initial);
      setFilled(initial);
      setEdited(new Set());
      mutation.reset();
    },
  };
}

export type Form<Values> = ReturnType<typeof useForm<Values, unknown, unknown>>;

/** What a schema found wrong: a text by field name, and under "" one for the form as a whole. */
class InvalidForm extends Error {
  readonly problems: Record<string, string> = {};

  constructor(issues: z.core.$ZodIssue[]) {
    super(`The form is not complete: ${issues.map(({ path }) => path.join(".") || "as a whole").join(", ")}`);
    for (const issue of issues) {
      const error = errorOfIssue(issue);
      const hasText = error.hasOwnText || error.code !== "invalid_input";
      this.problems[String(issue.path[0] ?? "")] ??= hasText ? error.message : "Please check this field.";
    }
  }
}

/** Returns the names of the fields of a date that is typed in part, which have the value of an empty one. */
function datesInPart(form: HTMLFormElement | null): string[] {
  const fields = form?.querySelectorAll<HTMLInputElement>("input[type^=date]") ?? [];
  return [...fields].filter(({ validity }) => validity.badInput).map(({ name }) => name);
}

/** Returns the values as the schema outputs them. Throws `InvalidForm`, logged. */
function checked<Data>(schema: z.core.$ZodType<Data>, values: unknown, inPart: readonly string[]): Data {
  const result = z.safeParse(schema, values);
  if (result.success && inPart.length === 0) return result.data;
  const dates = inPart.map((name) => ({ code: "custom" as const, path: [name], message: "date_invalid", input: "" }));
  const error = new InvalidForm([...dates, ...(result.error?.issues ?? [])]);
  logError(error);
  throw error;
}

function problemsOf(error: Error | null, fieldOfCode: Record<string, string>, fallback: ErrorCode): Record<string, string> {
  if (error === null || isAbort(error)) return {};
  if (error instanceof InvalidForm) return error.problems;
  return { [fieldOfCode[productErrorOf(error).code] ?? ""]: messageOf(error, fallback) };
}
