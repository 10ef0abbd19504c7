import { afterEach, expect, it, vi } from "vitest";
import { renewOrLoseSession } from "../auth-client.ts";
import { followEvents } from "./events.ts";

vi.mock("../auth-client.ts", () => ({
  accessToken: () => Promise.resolve("token"),
  renewOrLoseSession: vi.fn<() => Promise<boolean>>(() => Promise.resolve(true)),
}));
vi.mock("../timing/pause.ts", () => ({ pause: () => Promise.resolve(), untilVisible: () => Promise.resolve() }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Follows the events until a second stream was opened, some seconds after the page was. Returns what each request says that the page has. */
async function follow(first: Response, seconds = 5): Promise<Record<string, string>[]> {
  vi.spyOn(Date, "now").mockReturnValue(performance.timeOrigin + 1000 * seconds);
  const stop = new AbortController();
  const said: Record<string, string>[] = [];
  const replies = [first, new Response("")];
  vi.stubGlobal("fetch", (_url: string, { headers }: { headers: Record<string, string> }) => {
    const { accept: _accept, authorization: _token, ...rest } = headers;
    said.push(rest);
    return Promise.resolve(replies.shift()!);
  });
  const onState = (state: string): void => (state === "open" && said.length === 2 ? stop.abort() : undefined);
  await followEvents({ onTopic: () => {}, onState, signal: stop.signal });
  return said;
}

// LIVE-1
it("says how old the page is, and asks for everything once that was refused", async () => {
  expect(await follow(new Response(null, { status: 503 }))).toEqual([{ "x-data-age": "5" }, { "last-event-id": "0" }]);
  expect(renewOrLoseSession).not.toHaveBeenCalled();
});

it("continues after the last event of a stream, whose time the age counts from", async () => {
  const event = new Response("id: 7\nevent: videos\ndata: {}\n\n");
  expect(await follow(event, 8)).toEqual([{ "x-data-age": "8" }, { "last-event-id": "7" }]);
  expect((await follow(new Response(null, { status: 503 }), 20))[0]).toEqual({ "x-data-age": "12" });
});

it("renews a session whose token the stream was refused for", async () => {
  await follow(new Response(null, { status: 401 }));
  expect(renewOrLoseSession).toHaveBeenCalledOnce();
});
