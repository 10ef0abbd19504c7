import type { FastifyInstance } from "fastify";
import type { ChangeEvent, EventTopic } from "#domain/api/events";
import { eventTopics } from "#domain/api/events";
import { ProductError } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import type { Authenticate, Principal } from "../http/access.ts";
import type { Change, FeedEvent } from "./changes.ts";

const heartbeatMs = 25_000;

/** A slow reader may fall this far behind before its stream is cut; it comes back and is told to read everything anew. */
const maxBufferedBytes = 256 * 1024;

interface Stream {
  principal: Principal;
  send(text: string): void;
  end(): void;
}

/**
 * `GET /api/events`: server-sent events (HTML Living Standard, section 9.2) for whoever is signed in. An event carries a topic
 * and an id; the reader then fetches what it may see. A stream that comes back with `Last-Event-ID`, and every stream after a
 * gap in the feed, is told that each topic may have changed: events are hints, so nothing needs to be kept to lose nothing.
 */
export function registerEventStreams(app: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  const streams = new Set<Stream>();
  let lastId = deps.clock.now().getTime() * 1000;

  const unsubscribe = deps.changes.subscribe((event) => {
    for (const [text, reaches] of messagesFor(event, () => ++lastId)) {
      for (const stream of streams) if (reaches(stream.principal)) stream.send(text);
    }
    if (event.topic === "session-end") endSession(streams, event);
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.send(": still here\n\n");
  }, heartbeatMs);
  app.addHook("preClose", (done) => {
    unsubscribe();
    clearInterval(heartbeat);
    for (const stream of streams) stream.end();
    done();
  });

  app.get("/api/events", async (request, reply) => {
    const principal = await authenticate(request.headers.authorization);
    if (streams.size >= deps.config.maxStreams) throw new ProductError("unavailable", { retryAfter: 10 });
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    const stream: Stream = {
      principal,
      send(text) {
        if (raw.writableLength > maxBufferedBytes) raw.destroy();
        else raw.write(text);
      },
      end: () => raw.end(),
    };
    streams.add(stream);
    raw.on("close", () => streams.delete(stream));
    stream.send(`retry: 2000\nid: ${++lastId}\n: ready\n\n`);
    if (request.headers["last-event-id"] !== undefined) {
      for (const topic of eventTopics) stream.send(message(topic, null, ++lastId));
    }
  });
}

function endSession(streams: Set<Stream>, change: Change): void {
  for (const stream of streams) if (stream.principal.sessionId === change.id) stream.end();
}

type Reaches = (principal: Principal) => boolean;

function messagesFor(event: FeedEvent, nextId: () => number): [string, Reaches][] {
  if (event.topic === "gap") return eventTopics.map((topic) => [message(topic, null, nextId()), () => true]);
  if (event.topic === "session-end" || event.topic === "mail") return [];
  const reaches: Reaches = event.topic === "videos" ? () => true : ({ id, role }) => role === "admin" || id === event.user_id;
  return [[message(event.topic, event.id ?? null, nextId()), reaches]];
}

function message(topic: EventTopic, id: string | null, eventId: number): string {
  return `id: ${eventId}\nevent: ${topic}\ndata: ${JSON.stringify({ id } satisfies ChangeEvent)}\n\n`;
}
