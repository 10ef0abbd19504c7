import { api } from "../../../platform/api.ts";
import { accessToken } from "../../../platform/auth-client.ts";

type Reply = Awaited<ReturnType<typeof api.videos.play>>;

/** Calls that began on the way to a lesson, by its id, each for the page that opens next. */
const begun = new Map<string, Promise<Reply | undefined>>();

/** Requests the film of a lesson while its page still loads, which saves a round trip. Requests nothing without a session. */
export function beginPlaying(id: string): void {
  const reply = askToPlay(id);
  // The page requests it again, and displays the error.
  reply.catch(() => {});
  begun.set(id, reply);
}

async function askToPlay(id: string): Promise<Reply | undefined> {
  return (await accessToken()) === undefined ? undefined : api.videos.play({ params: { id } });
}

/** Returns the reply of a call that has begun, once; undefined without one. */
export function takeBegun(id: string): Promise<Reply | undefined> {
  const reply = begun.get(id);
  begun.delete(id);
  return reply ?? Promise.resolve(undefined);
}
