import { useEffect, useRef } from "react";
import type { Form } from "../../../platform/form.ts";

/** Fields that were not edited follow what is saved elsewhere, such as a refreshed price: saving the form must not take it back. */
export function useFollowed<Values extends object>(now: Values, { values, replaceValues }: Form<Values>): void {
  const last = useRef(now);
  useEffect(() => {
    const names = Object.keys(now) as (keyof Values)[];
    const followed = names.filter((name) => now[name] !== last.current[name] && values[name] === last.current[name]);
    last.current = now;
    if (followed.length > 0) replaceValues({ ...values, ...Object.fromEntries(followed.map((name) => [name, now[name]])) });
  });
}
