import type { QueryClient } from "@tanstack/react-query";
import { accessToken } from "../../platform/auth-client.ts";
import { queryClient } from "../../platform/query/query-client.ts";

/**
 * Begins to read what a page displays first while the server is still asked who is signed in, which saves a round trip. Reads nothing
 * without a session. What fails is read again by the page, which displays the error.
 */
export async function readEarly(read: (client: QueryClient) => readonly Promise<unknown>[]): Promise<void> {
  const token = await accessToken().catch(() => undefined);
  if (token !== undefined) await Promise.allSettled(read(queryClient));
}
