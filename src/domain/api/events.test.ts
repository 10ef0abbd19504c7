import { expect, it } from "vitest";
import * as z from "zod/mini";
import { ChangeEvent, supersededEvent } from "./events.ts";

it("reads an event with the id of what changed, or with none", () => {
  expect([{ id: "a" }, { id: null }].map((event) => z.parse(ChangeEvent, event))).toEqual([{ id: "a" }, { id: null }]);
  for (const event of [{}, { id: 1 }]) expect(z.safeParse(ChangeEvent, event).success).toBe(false);
});

it("names the last event of a stream that newer ones replaced", () => expect(supersededEvent).toBe("superseded"));
