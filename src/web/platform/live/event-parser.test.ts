import { expect, test } from "vitest";
import { createEventParser, type ServerEvent } from "./event-parser.ts";

function parsed(...pieces: string[]): ServerEvent[] {
  const events: ServerEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  for (const piece of pieces) parse(piece);
  return events;
}

const whole = 'id: 7\nevent: videos\ndata: {"id":"a"}\n\n';

test("reads an event, wherever the stream is cut", () => {
  const expected = [{ id: "7", event: "videos", data: '{"id":"a"}' }];
  expect(parsed(whole)).toEqual(expected);
  for (let cut = 1; cut < whole.length; cut++) expect(parsed(whole.slice(0, cut), whole.slice(cut))).toEqual(expected);
});

test("leaves out comments and reads carriage returns", () => {
  expect(parsed(": still here\n\n", whole.replaceAll("\n", "\r\n"))).toEqual([
    { id: "7", event: "videos", data: '{"id":"a"}' },
  ]);
});

test("reports an id that comes without data, so that a reconnect can resume there", () => {
  expect(parsed("retry: 2000\nid: 3\n: ready\n\n")).toEqual([{ id: "3", event: "", data: "" }]);
});

test("keeps an unfinished event back", () => {
  expect(parsed("event: profile\ndata: {}\n")).toEqual([]);
});
