import { expect, test } from "vitest";
import { parseUrl } from "./parse-url.ts";

test("a text that is no address has no parts", () => {
  expect([parseUrl("https://films.example/1")?.hostname, parseUrl("films.example")]).toEqual(["films.example", undefined]);
});
