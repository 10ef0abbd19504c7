import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { ChangeEvent, EventTopic } from "#domain/api/events";
import { eventTopics, supersededEvent } from "#domain/api/events";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { oldestStart } from "../db/session-lifetime.ts";
import { requireVerified, type Authenticate, type Principal } from "../http/access.ts";
import type { Change, FeedEvent } from "./changes.ts";
import { OpenStreams, type Stream } from "./open-streams.ts";
import { findAllOpenSessions } from "./queries.ts";
import { RecentChanges, type Reaches } from "./recent-changes.ts";

const heartbeatMs = 25_000;

/** Bytes that a slow reader may be behind before its stream is closed; it then reconnects and reads everything again. */
const maxBufferedBytes = 256 * 1024;

/** Milliseconds until a superseded reader without our own handling reconnects. */
const supersededRetryMs = 300_000;

/**
 * `GET /api/events`: server-sent events (HTML Living Standard, section 9.2) for verified accounts. An event carries a topic and
 * an id; the reader then fetches what it may see. A stream that reconnects with `Last-Event-ID`, and every stream after a
 * gap in the feed, receives one event for each topic: events are hints, so none needs to be stored. A first stream that says by `X-Data-Age`
 * how many seconds ago its page began to read receives one for each topic that has changed since. It ends with its session (SESSION-2),
 * also when that is 30 days old (SESSION-4).
 */
export function registerEventStreams(app: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  const streams = new OpenStreams(deps.config.server.maxStreams);
  const recent = new RecentChanges(deps.clock.steady());
  let lastId = deps.clock.now().getTime() * 1000;

  const unsubscribe = deps.changes.subscribe((event) => {
    for (const { topic, text, reaches } of messagesFor(event, () => ++lastId)) {
      recent.add(deps.clock.steady(), topic, reaches);
      for (const stream of streams) if (reaches(stream.principal)) stream.send(text);
    }
    if (event.topic === "session-end") endSessions(streams, new Set([event.id]));
    if (event.topic === "gap") void endMissedSessions(streams, deps);
  });
  const heartbeat = setInterval(() => {
    const oldest = oldestStart(deps.clock.now());
    for (const stream of streams) {
      if (stream.principal.startedAt > oldest) stream.send(": still here\n\n");
      else stream.end();
    }
  }, heartbeatMs);
  app.addHook("preClose", (done) => {
    unsubscribe();
    clearInterval(heartbeat);
    streams.end();
    done();
  });

  /** Returns the topics of what may have changed before a stream opened. */
  const missedTopics = (headers: IncomingHttpHeaders, principal: Principal): Iterable<EventTopic> => {
    if (headers["last-event-id"] !== undefined) return eventTopics;
    const ageMs = 1000 * Number(headers["x-data-age"]);
    if (!(ageMs >= 0)) return [];
    return recent.topicsSince(new Date(deps.clock.steady().getTime() - ageMs), principal) ?? eventTopics;
  };

  app.get("/api/events", async (request, reply) => {
    // The end of a session whose stream is not there yet would end nothing, nor would a gap in which it ended.
    const ended = new Set<unknown>();
    let isGapHeard = false;
    const stopHearing = deps.changes.subscribe((event) => {
      if (event.topic === "session-end") ended.add(event.id);
      if (event.topic === "gap") isGapHeard = true;
    });
    const principal = await authenticate(request.headers.authorization).finally(stopHearing);
    if (ended.has(principal.sessionId)) throw new ProductError("not_signed_in");
    requireVerified(principal);
    const { raw } = reply;
    const stream = streamTo(raw, principal);
    if (request.method === "HEAD") streams.requireRoom(principal);
    else streams.add(stream);
    raw.on("close", () => streams.remove(stream));
    // Whoever left while the session was read has had that event already.
    if (raw.destroyed) streams.remove(stream);
    if (isGapHeard) void endMissedSessions(streams, deps);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    if (request.method === "HEAD") {
      stream.end();
      return;
    }
    stream.send(`retry: 2000\nid: ${++lastId}\n: ready\n\n`);
    for (const topic of missedTopics(request.headers, principal)) stream.send(message(topic, null, ++lastId));
  });
}

function streamTo(raw: ServerResponse, principal: Principal): Stream {
  return {
    principal,
    send(text) {
      // Ended, and its last bytes not yet read: writing to it would end the process.
      if (raw.writableEnded) return;
      if (raw.writableLength > maxBufferedBytes) raw.destroy();
      else raw.write(text);
    },
    end: () => raw.end(),
    supersede: () => raw.end(`retry: ${supersededRetryMs}\nevent: ${supersededEvent}\ndata: {}\n\n`),
  };
}

function endSessions(streams: Iterable<Stream>, ids: ReadonlySet<unknown>): void {
  for (const stream of streams) if (ids.has(stream.principal.sessionId)) stream.end();
}

/** Ends the streams of sessions that ended while the feed was cut off. When the database cannot say which, ends all: readers reconnect. */
async function endMissedSessions(streams: OpenStreams, { db, clock }: Dependencies): Promise<void> {
  const ended = new Set(Array.from(streams, ({ principal }) => principal.sessionId));
  const open = await findAllOpenSessions(db, [...ended], oldestStart(clock.now())).catch(() => []);
  for (const id of open) ended.delete(id);
  endSessions(streams, ended);
}

interface Message {
  topic: EventTopic;
  text: string;
  reaches: Reaches;
}

function messagesFor(event: FeedEvent, nextId: () => number): Message[] {
  if (event.topic === "gap") {
    return eventTopics.map((topic) => ({ topic, text: message(topic, null, nextId()), reaches: () => true }));
  }
  const topic = eventTopics.find((one) => one === event.topic);
  return topic === undefined ? [] : [{ topic, text: message(topic, event.id ?? null, nextId()), reaches: reachOf(event) }];
}

/** A student's changes reach the student and the admin, those of wallet settings the admin alone, the end of all quotes everybody, what was watched or read only the student's own pages, and a stop only its session's. */
function reachOf({ topic, id: changedId, user_id }: Change): Reaches {
  if (topic === "videos" || topic === "live-sessions" || topic === "quotes" || (topic === "news" && user_id == null))
    return () => true;
  if (topic === "playback") return ({ sessionId }) => sessionId === changedId;
  const isOfOnePerson = topic === "progress" || topic === "news";
  return ({ id, role }) => id === user_id || (role === "admin" && !isOfOnePerson);
}

function message(topic: EventTopic, id: string | null, eventId: number): string {
  return `id: ${eventId}\nevent: ${topic}\ndata: ${JSON.stringify({ id } satisfies ChangeEvent)}\n\n`;
}
