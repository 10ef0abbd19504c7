import { expect, test } from "vitest";
import { controllerWithin } from "./controller-within.ts";

test("a controller is aborted by itself or by its signal, for the same reason", () => {
  const outer = new AbortController();
  const [first, second] = [controllerWithin(outer.signal), controllerWithin(outer.signal)];
  first.abort();
  expect([outer.signal.aborted, first.signal.aborted, second.signal.aborted]).toEqual([false, true, false]);
  outer.abort("over");
  expect([second.signal.reason, controllerWithin(outer.signal).signal.reason]).toEqual(["over", "over"]);
});
