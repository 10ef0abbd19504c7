import { afterEach, expect, test, vi } from "vitest";
import { createDemoApi } from "./api.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

// DEMO-1
test("the demo starts and quotes where the browser has no crypto.randomUUID", async () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal("crypto", { getRandomValues });
  const demo = createDemoApi();
  const ids = (await demo.videos.list({})).items.map(({ id }) => id);
  expect(new Set(ids).size).toBe(9);
  expect((await demo.quotes.create({ package_type: "starter" })).amount_usd).toBe("497");
});

// DEMO-1, COUPON-4, PAY-4
test("the demo keeps a submitted payment as the site does", async () => {
  vi.useFakeTimers();
  const demo = createDemoApi();
  expect((await demo.account.me()).max_upload_bytes["payment-screenshots"]).toBe(20 * 1024 ** 2);
  const offer = { code: "LUNCH", discount_starter: "50", discount_advanced: "70" };
  expect(await demo.quotes.launchOffer()).toEqual({ status: 200, body: offer });
  const submit = async (package_type: "starter" | "advanced", reference: string) => {
    const quote = await demo.quotes.create({ package_type });
    const body = { quote_id: quote.id, crypto_type: "thai_bank", upload_id: quote.id, reference, consent: true } as const;
    const [reply] = await Promise.all([demo.paymentRequests.submit({ headers: {}, body }), vi.advanceTimersByTimeAsync(2000)]);
    return reply;
  };
  // No server keeps the picture, so the request has no link to it.
  expect(await submit("starter", " abc-12 34 ")).toMatchObject({ reference: "ABC1234", screenshot_url: null });
  expect(await demo.quotes.launchOffer()).toEqual({ status: 200, body: { ...offer, discount_starter: null } });
  expect(await submit("advanced", "")).toMatchObject({ reference: null });
  expect(await demo.quotes.launchOffer()).toEqual({ status: 204 });
});
