import { expect, it } from "vitest";
import { heldPriceMail } from "./mail.ts";

// TEXT-3
it("separates the thousands of prices and bounds in the mail about a held price", () => {
  const held = { coin: "bitcoin", lowest_usd: "50000", highest_usd: "70000.5", before: "60000", usd: "72000.01" } as const;
  const from = { site: { name: "Pipwright" }, origin: "https://course.example" };
  const text = heldPriceMail(from, "admin@example.com", { ...held, reason: "out_of_bounds" }).text.replaceAll(/\s+/g, " ");
  expect(text).toContain("The public price is 72,000.01 USD. Your price stays at 60,000 USD.");
  expect(text).toContain("Your bounds are from 50,000 USD to 70,000.5 USD.");
});
