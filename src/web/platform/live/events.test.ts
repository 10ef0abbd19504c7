import { afterEach, expect, it, vi } from "vitest";
import { renewOrLoseSession } from "../auth-client.ts";
import { followEvents } from "./events.ts";

vi.mock("../auth-client.ts", () => ({
  accessToken: () => Promise.resolve("token"),
  renewOrLoseSession: vi.fn<() => Promise<boolean>>(() => Promise.resolve(true)),
}));
vi.mock("../timing/pause.ts", () => ({ pause: () => Promise.resolve(), untilVisible: () => Promise.resolve() }));

afterEach(() => vi.unstubAllGlobals());

/** Follows the events until a stream was opened, after the server's first reply. Returns the id that each request named as the last. */
async function follow(first: Response): Promise<(string | undefined)[]> {
  const stop = new AbortController();
  const lastIds: (string | undefined)[] = [];
  const replies = [first, new Response("")];
  vi.stubGlobal("fetch", (_url: string, { headers }: { headers: Record<string, string> }) => {
    lastIds.push(headers["last-event-id"]);
    return Promise.resolve(replies.shift()!);
  });
  const onState = (state: string): void => (state === "open" && lastIds.length === 2 ? stop.abort() : undefined);
  await followEvents({ onTopic: () => {}, onState, signal: stop.signal });
  return lastIds;
}

// LIVE-1
it("asks for what changed while its first stream was refused", async () => {
  expect(await follow(new Response(null, { status: 503 }))).toEqual([undefined, "0"]);
  expect(renewOrLoseSession).not.toHaveBeenCalled();
});

it("continues after the last event that a stream has sent", async () => {
  expect(await follow(new Response("id: 7\nevent: videos\ndata: {}\n\n"))).toEqual([undefined, "7"]);
});

it("renews a session whose token the stream was refused for", async () => {
  await follow(new Response(null, { status: 401 }));
  expect(renewOrLoseSession).toHaveBeenCalledOnce();
});
