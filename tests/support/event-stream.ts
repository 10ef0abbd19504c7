import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { TestApp } from "./app.ts";
import type { Person } from "./people.ts";

export interface Stream {
  events: { topic: string; id: string | null; eventId: string }[];
  isClosed(): boolean;
  /** Resolves once an event of this topic has come. */
  seen(topic: string): Promise<void>;
  closed: Promise<void>;
  stop(): void;
}

/**
 * Opens an account's stream of events (LIVE). What changed before is heard of by then, in the order in which it changed: on a busy machine it
 * would come to the new stream.
 */
export async function listen(site: TestApp, person: Person, resumes: Record<string, string> = {}): Promise<Stream> {
  await hearChanges(site);
  const stop = new AbortController();
  const reply = await fetch(`${site.url}/api/events`, {
    signal: stop.signal,
    headers: { authorization: `Bearer ${person.accessToken}`, ...resumes },
  });
  expect(reply.status).toBe(200);
  const events: Stream["events"] = [];
  const read = async (): Promise<void> => {
    let text = "";
    for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? "";
        if (field("event") !== "") {
          events.push({ topic: field("event"), id: JSON.parse(field("data")).id ?? null, eventId: field("id") });
        }
      }
    }
  };
  let isClosed = false;
  const closed = read()
    .catch(() => {})
    .finally(() => (isClosed = true));
  return {
    events,
    closed,
    isClosed: () => isClosed,
    stop: () => stop.abort(),
    async seen(topic) {
      await expect.poll(() => events.map((event) => event.topic)).toContain(topic);
    },
  };
}

/** Resolves once a site has heard of all that changed until now. */
async function hearChanges(site: TestApp): Promise<void> {
  const mark = randomUUID();
  let isHeard = false;
  const stop = site.deps.changes.subscribe((event) => {
    if (event.topic !== "gap" && event.id === mark) isHeard = true;
  });
  // There is no such session, so nothing else reacts to it.
  await site.sql("select pg_notify('changes', json_build_object('topic', 'session-end', 'id', $1::text)::text)", [mark]);
  await expect.poll(() => isHeard).toBe(true);
  stop();
}
