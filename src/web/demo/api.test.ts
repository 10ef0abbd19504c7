import { afterEach, expect, test, vi } from "vitest";
import { createDemoApi } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

// DEMO-1
test("the demo starts and quotes where the browser has no crypto.randomUUID", async () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues });
  const demo = createDemoApi();
  const ids = (await demo.videos.list({})).items.map(({ id }) => id);
  expect(new Set(ids).size).toBe(9);
  expect((await demo.quotes.create({ package_type: "starter" })).amount_usd).toBe("497");
});
