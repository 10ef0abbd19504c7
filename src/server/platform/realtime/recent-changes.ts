import type { EventTopic } from "#domain/api/events";
import type { Principal } from "../http/access.ts";

export type Reaches = (principal: Principal) => boolean;

/** More than are sent while a page loads; a page that is older than all of them is sent every topic. */
const defaultKept = 1000;

/** Milliseconds by which a change may be older than the page's data: what the page's request was on its way. */
const marginMs = 10_000;

/** The last changes that this process heard of, for the pages whose first stream opens after their data were read (LIVE-1). */
export class RecentChanges {
  readonly #kept: { at: number; topic: EventTopic; reaches: Reaches }[] = [];
  readonly #most: number;
  /** From when on all changes are kept, in milliseconds. */
  #from: number;

  constructor(startedAt: Date, most = defaultKept) {
    this.#from = startedAt.getTime();
    this.#most = most;
  }

  add(at: Date, topic: EventTopic, reaches: Reaches): void {
    this.#kept.push({ at: at.getTime(), topic, reaches });
    if (this.#kept.length > this.#most) this.#from = this.#kept.shift()!.at;
  }

  /** Returns the topics of the changes that reached somebody since a time; undefined where not all of these are kept. */
  topicsSince(time: Date, principal: Principal): Set<EventTopic> | undefined {
    const since = time.getTime() - marginMs;
    if (since < this.#from) return undefined;
    return new Set(this.#kept.filter(({ at, reaches }) => at >= since && reaches(principal)).map(({ topic }) => topic));
  }
}
