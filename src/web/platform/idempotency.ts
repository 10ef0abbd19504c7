import { useRef } from "react";
import { randomUuid } from "./browsers/random-uuid.ts";

export interface IdempotencyHeaders {
  "idempotency-key": string;
}

/** Returns what makes the headers of a request: one key for as long as the body stays the same, so that a retry is stored once. */
export function useIdempotencyHeaders(): (body: object) => IdempotencyHeaders {
  const attempt = useRef<{ body: string; key: string }>(undefined);
  return (body) => {
    const sent = JSON.stringify(body);
    if (attempt.current?.body !== sent) attempt.current = { body: sent, key: randomUuid() };
    return { "idempotency-key": attempt.current.key };
  };
}
