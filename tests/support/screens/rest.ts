import type { Page } from "@playwright/test";
import { openPending, seen, type Screen } from "./screen.ts";

/** Changes each payment request of a list on its way to the page. */
const changeRequests = (page: Page, address: string | RegExp, change: (request: any) => object): Promise<unknown> =>
  page.route(address, async (route) => {
    const reply = await (await route.fetch()).json();
    await route.fulfill({ json: { ...reply, items: reply.items.map((request: any) => ({ ...request, ...change(request) })) } });
  });

/** Changes the open payment request on its way to the page. */
const changeRequest = (page: Page, change: (request: any) => object): Promise<unknown> =>
  page.route(/\/api\/payment-requests\/[\w-]{36}$/, async (route) => {
    const request = await (await route.fetch()).json();
    await route.fulfill({ json: { ...request, ...change(request) } });
  });

/** The rest of a pending request, of which the first half has arrived. */
const askedFor =
  (destination_changed: boolean, available = true) =>
  (request: any) => {
    if (request.status !== "pending" || request.crypto_type === null) return {};
    const half = (Number(request.amount_crypto) / 2).toFixed(request.crypto_type === "thai_bank" ? 2 : 8);
    const { crypto_type, wallet_address } = request;
    return {
      amount_received: half,
      amount_owed: half,
      rest: {
        asked_at: request.created_at,
        destination_changed,
        former_destinations: destination_changed && available ? [`${wallet_address}-former`] : [],
        method: { crypto_type, available, amount_crypto: half, wallet_address: available ? wallet_address : "" },
      },
    };
  };
const mine = "**/api/payment-requests/mine?*";

const payingRest = (state: string, destination_changed: boolean, available = true): Screen => ({
  name: `payment, rest, ${state}`,
  as: "waiting",
  open: async (page) => {
    await changeRequests(page, mine, askedFor(destination_changed, available));
    await page.goto("/payment?package=starter");
    await seen(page.getByRole("heading", { name: "Still to pay" }));
  },
});

/** Of the pending requests, the first one's account was deleted, and the second one's student has more than the package by now. */
const payer = "dao.rattana@example.com";

const adminPayments = (state: string, open: (page: Page) => Promise<void>): Screen => ({
  name: `admin, payments, ${state}`,
  as: "admin",
  open: async (page) => {
    await openPending(page, payer);
    await open(page);
  },
});

/** A payment of which a part has arrived, for its student and for the admin (PART-3, PART-4). */
export const restScreens: Screen[] = [
  {
    name: "student, rest asked for",
    as: "waiting",
    open: async (page) => {
      await changeRequests(page, mine, askedFor(false));
      await page.goto("/student");
      await seen(page.getByRole("link", { name: "Pay the rest" }));
    },
  },
  payingRest("asked for", false),
  payingRest("destination changed", true),
  payingRest("no destination", false, false),
  adminPayments("asking for the rest", async (page) => {
    await page.getByRole("button", { name: `Ask for the rest of the payment of ${payer}` }).click();
    await seen(page.getByRole("alertdialog", { name: "Ask for the rest" }));
  }),
  adminPayments("accepting another amount", async (page) => {
    await page.getByRole("button", { name: `Accept another amount of ${payer}` }).click();
    await seen(page.getByRole("alertdialog", { name: "Accept another amount" }));
  }),
  {
    name: "admin, payments, rest sent",
    as: "admin",
    open: async (page) => {
      await changeRequest(page, (request) =>
        request.crypto_type === null
          ? {}
          : {
              amount_received: "1.00",
              note: "Asked by phone, too.",
              parts: [
                {
                  id: request.id,
                  amount_asked: "0.00500000",
                  wallet_address: "an-earlier-address",
                  reference: "ab".repeat(32),
                  screenshot_url: "a.png",
                  submitted_at: request.created_at,
                },
              ],
            },
      );
      await page.goto("/admin?tab=payments");
      await page.getByRole("link", { name: payer }).click();
      await seen(page.getByText("Note: Asked by phone, too."));
    },
  },
];
