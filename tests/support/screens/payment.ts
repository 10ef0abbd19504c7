import type { Page } from "@playwright/test";
import { errors } from "../../../src/domain/errors/messages.ts";
import { keepWaiting, refuse, seen, type Screen } from "./screen.ts";

export const toPayment = async (page: Page, packageType = "starter"): Promise<void> => {
  await page.goto(`/payment?package=${packageType}`);
  await seen(page.getByRole("button", { name: "Submit Payment Request" }));
};
const choose = async (page: Page, method: string): Promise<void> => {
  await page.getByRole("radio", { name: method }).check();
  await seen(page.getByRole("heading", { name: `${method} payment` }));
};
const applyCoupon = async (page: Page, code: string): Promise<void> => {
  await page.getByLabel("Coupon code").fill(code);
  await page.getByRole("button", { name: "Apply" }).click();
};
/** Changes the quote on its way to the page. */
const changeQuote = (page: Page, change: (quote: any, turn: number) => void): Promise<unknown> => {
  let turn = 0;
  return page.route("**/api/quotes", async (route) => {
    const reply = await route.fetch();
    const quote = await reply.json();
    change(quote, turn++);
    await route.fulfill({ response: reply, json: quote });
  });
};
const withoutMethods = (page: Page, gone: string[]): Promise<unknown> =>
  changeQuote(page, (quote) => {
    for (const method of quote.methods) if (gone.includes(method.crypto_type)) method.available = false;
  });

/** The payment page as quotes, coupons and earlier requests make it. */
export const paymentScreens: Screen[] = [
  {
    name: "payment, bitcoin",
    as: "unpaid",
    open: async (page) => {
      await toPayment(page);
      await seen(page.getByText("50% OFF Starter & 70% OFF Advanced"));
    },
  },
  ...["Ethereum", "Thai Bank Transfer"].map((method): Screen => ({
    name: `payment, ${method.toLowerCase()}`,
    as: "unpaid",
    open: async (page) => {
      await toPayment(page, "advanced");
      await choose(page, method);
    },
  })),
  {
    name: "payment, coupon applied",
    as: "unpaid",
    open: async (page) => {
      await toPayment(page, "advanced");
      await applyCoupon(page, "lunch");
      await seen(page.getByRole("button", { name: "Remove" }));
    },
  },
  {
    name: "payment, coupon refused",
    as: "unpaid",
    open: async (page) => {
      await toPayment(page);
      await applyCoupon(page, "nope");
      await seen(page.getByText(errors.coupon_invalid.text));
    },
  },
  {
    name: "payment, method unavailable",
    as: "unpaid",
    open: async (page) => {
      await withoutMethods(page, ["bitcoin"]);
      await toPayment(page);
      await seen(page.getByText("Not set up yet"));
    },
  },
  {
    name: "payment, no method set up",
    as: "unpaid",
    open: async (page) => {
      await withoutMethods(page, ["bitcoin", "ethereum", "thai_bank"]);
      await toPayment(page);
      await seen(page.getByText("No payment method is set up yet"));
    },
  },
  {
    name: "payment, sample wallets",
    as: "unpaid",
    open: async (page) => {
      await changeQuote(page, (quote) => (quote.is_sample = true));
      await toPayment(page);
      await seen(page.getByText(/do not pay/));
    },
  },
  {
    name: "payment, quote renewed with other amounts",
    as: "unpaid",
    open: async (page) => {
      await changeQuote(page, (quote, turn) => {
        if (turn === 0) quote.expires_at = new Date(Date.parse(quote.created_at) + 1500).toISOString();
        else quote.methods[0].amount_crypto = "0.01200000";
      });
      await toPayment(page);
      await seen(page.getByText("The quote expired and was renewed"));
    },
  },
  {
    name: "payment, amounts expired",
    as: "unpaid",
    changesSession: true,
    open: async (page) => {
      await page.clock.install();
      await toPayment(page);
      await page.clock.fastForward("01:00:10");
      await seen(page.getByRole("button", { name: "Show current amounts" }));
    },
  },
  {
    name: "payment, request open",
    as: "waiting",
    open: async (page) => {
      await page.goto("/payment");
      await seen(page.getByRole("heading", { name: "Payment Submitted!" }));
    },
  },
  {
    name: "payment, package owned",
    as: "starter",
    open: async (page) => {
      await page.goto("/payment");
      await seen(page.getByText("You already have the Starter package."));
    },
  },
  {
    name: "payment, loading",
    as: "unpaid",
    open: async (page) => {
      await keepWaiting(page, "**/api/quotes");
      await page.goto("/payment");
      await seen(page.getByText("Loading payment information..."));
    },
  },
  {
    name: "payment, error",
    as: "unpaid",
    open: async (page) => {
      await refuse(page, "**/api/quotes");
      await page.goto("/payment");
      await seen(page.getByText(errors.payment_info_failed.text));
    },
  },
  {
    name: "payment, request rejected before",
    as: "waiting",
    open: async (page) => {
      await toPayment(page, "advanced");
      await seen(page.getByText("Reason: The amount on the screenshot is too low."));
    },
  },
  {
    name: "payment, rejected, old address",
    as: "waiting",
    open: async (page) => {
      await page.route("**/api/payment-requests/mine?*", async (route) => {
        const reply = await route.fetch();
        const mine = await reply.json();
        for (const request of mine.items) request.destination_current = false;
        await route.fulfill({ response: reply, json: mine });
      });
      await toPayment(page, "advanced");
      await seen(page.getByText("This is the old address"));
    },
  },
  {
    name: "payment, rejected, a part arrived",
    as: "waiting",
    open: async (page) => {
      await page.route("**/api/payment-requests/mine?*", async (route) => {
        const reply = await route.fetch();
        const mine = await reply.json();
        const part = { amount_received: "0.10000000", amount_owed: "0.23233333", destination_current: false };
        for (const request of mine.items) if (request.status === "rejected") Object.assign(request, part);
        await route.fulfill({ response: reply, json: mine });
      });
      await toPayment(page, "advanced");
      await seen(page.getByRole("img", { name: "Ethereum QR code for 0.23233333 ETH" }));
    },
  },
  {
    name: "payment, upgrade with credit and coupon",
    as: "starter",
    open: async (page) => {
      await changeQuote(page, (quote) =>
        Object.assign(quote, {
          coupon_code: "LUNCH",
          discount_percent: "70",
          discount_usd: "697.9",
          upgrade_credit_usd: "248.5",
          amount_usd: "50.6",
        }),
      );
      await toPayment(page, "advanced");
      await seen(page.getByText("−$248.5"));
    },
  },
  {
    name: "payment, nothing left to pay",
    as: "starter",
    open: async (page) => {
      await changeQuote(page, (quote) => Object.assign(quote, { upgrade_credit_usd: "997", amount_usd: "0" }));
      await toPayment(page, "advanced");
      await seen(page.getByRole("heading", { name: "Nothing left to pay" }));
    },
  },
  {
    name: "payment, paid by an earlier quote",
    as: "unpaid",
    open: async (page) => {
      await changeQuote(page, (quote) => {
        const methods = quote.methods.map((method: any) => ({
          ...method,
          amount_crypto: "0.01050000",
          wallet_address: "bc1a",
        }));
        quote.earlier = [{ id: quote.id, amount_usd: "497", created_at: quote.created_at, methods }];
      });
      await toPayment(page);
      await page.getByText("Have you paid by earlier amounts?").click();
      await page.getByRole("checkbox", { name: "I have already sent 0.01050000 BTC to the earlier address" }).check();
    },
  },
  {
    name: "payment, paid by a method that was removed",
    as: "unpaid",
    open: async (page) => {
      await changeQuote(page, (quote) => {
        const methods = quote.methods.map((method: any) => ({ ...method, wallet_address: "Bank 1" }));
        quote.earlier = [{ id: quote.id, amount_usd: "497", created_at: quote.created_at, methods }];
        quote.methods[2].available = false;
      });
      await toPayment(page);
      await choose(page, "Thai Bank Transfer");
      await page.getByRole("checkbox", { name: "I have already sent 17,395.00 THB to the earlier account" }).check();
    },
  },
];
