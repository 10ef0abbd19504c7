import { useRef, useState } from "react";
import { isTransient, productErrorOf } from "../../../platform/errors.ts";
import type { IdempotencyHeaders } from "../../../platform/idempotency.ts";
import { randomUuid } from "../../../platform/browsers/random-uuid.ts";
import { changedFields } from "./changed-fields.ts";

interface Calls<Body> {
  create: (input: { headers: IdempotencyHeaders; body: Body }) => Promise<{ id: string }>;
  update: (input: { params: { id: string }; body: Partial<Body> }) => Promise<unknown>;
}

/**
 * Returns what saves a form: it makes the row, or sends the changed fields, and resolves with the row's id, with which it has called `onMade` once the
 * row was there. One form makes one row, also where a reply was lost and the form was changed since (VIDEO-9, NEWS-1, LIVESESSION-1). `isUnsure`
 * says that the row may have been made by a lost reply's request.
 */
export function useSave<Body extends object>(
  row: (Partial<Body> & { id: string }) | undefined,
  calls: Calls<Body>,
  onMade: (id: string) => void,
) {
  // What the form was opened with, or what it has saved since.
  const saved = useRef(row);
  const [headers] = useState<IdempotencyHeaders>(() => ({ "idempotency-key": randomUuid() }));
  // Sent without a reply: at most one of them has made the row.
  const [unsure, setUnsure] = useState<Body[]>([]);

  const make = async (body: Body, [earlier, ...rest] = unsure): Promise<Partial<Body> & { id: string }> => {
    try {
      const { id } = await calls.create({ headers, body });
      return { ...body, id };
    } catch (error) {
      // An earlier body made the row, which is returned for that body alone.
      if (earlier && productErrorOf(error).code === "idempotency_key_reused") return make(earlier, rest);
      if (isTransient(error)) setUnsure((before) => [...before, body]);
      throw error;
    }
  };
  const save = async (body: Body): Promise<string> => {
    const { id } = (saved.current ??= await make(body));
    onMade(id);
    const changes = changedFields(saved.current, body);
    if (changes) await calls.update({ params: { id }, body: changes });
    saved.current = { ...body, id };
    return id;
  };
  return { save, isUnsure: unsure.length > 0 };
}
