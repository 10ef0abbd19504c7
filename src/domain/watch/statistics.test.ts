import { expect, it } from "vitest";
import { filmPartName, filmParts } from "./statistics.ts";

// PATH-5
it("the parts of a film cover it from beginning to end", () => {
  const names = Array.from({ length: filmParts }, (_, part) => filmPartName(part));
  expect([names[0], names[1], names.at(-1)]).toEqual(["0–10%", "10–20%", "90–100%"]);
});
