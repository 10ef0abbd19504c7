import { useMemo } from "react";
import { useSearchParams } from "react-router";
import * as z from "zod/mini";

/** What a schema accepts, or else the fallback. */
const orElse = z.catch;

/** A filter of the address: its values, and what it is where the address has none, or another one. */
export const choiceFilter = <const Value extends string>(values: readonly Value[], fallback: Value) =>
  orElse(z.enum(values), fallback);

/** What is searched for. */
export const searchFilter = orElse(
  z.string().check(
    z.maxLength(200),
    z.refine((text) => !/\p{Cc}/u.test(text)),
  ),
  "",
);

/**
 * Returns the filters of a list, which are part of the address (LIST-4), and what changes some of them. A change is a step of the history, unless
 * it `replace`s the last one, as each letter of a search does. `schema` has a `catch` for every filter.
 */
export function useListFilters<Shape extends z.core.$ZodShape>(schema: z.ZodMiniObject<Shape>) {
  type Filters = z.output<typeof schema>;
  const [params, setParams] = useSearchParams();
  const address = params.toString();
  const filters = useMemo(() => schema.parse(Object.fromEntries(new URLSearchParams(address))), [schema, address]);
  const change = (changes: Partial<Filters>, options?: { replace: boolean }): void => {
    const defaults = schema.parse({}) as Record<string, unknown>;
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === defaults[name]) next.delete(name);
          else next.set(name, String(value));
        }
        return next;
      },
      { replace: options?.replace === true, preventScrollReset: true, flushSync: true },
    );
  };
  return [filters, change] as const;
}
