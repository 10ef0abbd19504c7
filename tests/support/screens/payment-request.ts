import type { Page } from "@playwright/test";
import type { PaymentRequestDetail } from "../../../src/domain/api/payments/payment-requests.ts";
import type { Evidence } from "../../../src/domain/evidence/evidence.ts";
import type { OtherRequest } from "../../../src/domain/evidence/shape.ts";
import type { Course } from "../sites/course.ts";
import { keepWaiting, refuse, seen, type Screen } from "./screen.ts";

const screen = (name: string, open: Screen["open"]): Screen => ({ name: `payment request, ${name}`, as: "admin", open });
const details = /\/api\/payment-requests\/[\w-]+$/;

/** As many as evidence names, with an address that breaks no line by itself. */
const others = (own: string): OtherRequest[] =>
  [`${"wichai-the-second-of-that-name.".repeat(3)}pattana@mail.example.com`, "lek@example.com", own, "dao@example.com"].map(
    (email, index) => ({
      payment_request_id: `00000000-0000-4000-8000-00000000000${index}`,
      user_id: null,
      email,
      status: (["approved", "pending", "rejected", "pending"] as const)[index]!,
      created_at: `2026-11-${20 - index}T09:30:00.000Z`,
    }),
  );

const flagged = ({ email, created_at: at, wallet_address }: PaymentRequestDetail): Evidence[] => {
  const disputing = others(email);
  const matches = disputing.map((other, index) => ({
    ...other,
    kind: (["same_file", "same_picture"] as const)[index % 2]!,
  }));
  return [
    {
      kind: "reference",
      verdict: "disputed",
      text: `${disputing[0]!.email} (approved, submitted 2026-11-20 09:30 UTC) and 3 others claimed the same transaction. That request was approved, so this one cannot be.`,
      at,
      details: { others: disputing },
    },
    {
      kind: "destination",
      verdict: "not_current",
      text: "The address is no longer in the wallet settings.",
      at,
      details: { wallet_address: wallet_address ?? "" },
    },
    {
      kind: "screenshot",
      verdict: "same_file",
      text: "The screenshot is the same file as that of a request of lek@example.com (pending, submitted 2026-11-19 14:05 UTC).",
      at,
      details: { matches },
    },
  ];
};

/** Opens a request of a status, the newest one. */
async function openRequest(page: Page, { asAdmin }: Course, status: string): Promise<void> {
  const { items } = await asAdmin("GET", `/api/payment-requests?status=${status}`);
  await page.goto(`/admin/payments/${items[0].id}`);
}

export const paymentRequestScreens: Screen[] = [
  screen("pending", async (page, course) => {
    await openRequest(page, course, "pending");
    await seen(page.getByRole("button", { name: /^Approve the payment of/ }));
    await seen(page.getByRole("img", { name: /^Screenshot of/ }));
  }),
  screen("approved", async (page, course) => {
    await openRequest(page, course, "approved");
    await seen(page.getByText(/^Decided/));
    await seen(page.getByRole("img", { name: /^Screenshot of/ }));
  }),
  screen("rejected", async (page, course) => {
    await openRequest(page, course, "rejected");
    await seen(page.getByText(/Reason: /));
  }),
  screen("disputed", async (page, course) => {
    await page.route(details, async (route) => {
      const request = await (
        await route.fetch({
          url: route
            .request()
            .url()
            .replace(/[\w-]+$/, await idOf(course)),
        })
      ).json();
      await route.fulfill({ json: { ...request, reference: "a1".repeat(32), evidence: flagged(request) } });
    });
    await openRequest(page, course, "pending");
    await seen(page.getByRole("heading", { name: "Requests with this reference" }));
  }),
  screen("loading", async (page, course) => {
    await keepWaiting(page, details);
    await openRequest(page, course, "pending");
    await seen(page.getByText("Loading admin dashboard..."));
  }),
  screen("not found", async (page) => {
    await page.goto("/admin/payments/00000000-0000-4000-8000-000000000000");
    await seen(page.getByRole("heading", { name: "No payment request here" }));
  }),
  screen("picture not displayed", async (page, course) => {
    await refuse(page, /\/api\/payment-requests\/[\w-]+\/screenshot$/);
    await openRequest(page, course, "pending");
    await seen(page.getByText("It cannot be displayed here."));
  }),
];

/** Every card of a dispute reads this one, since the others of the fixture are not stored. */
async function idOf({ asAdmin }: Course): Promise<string> {
  return (await asAdmin("GET", "/api/payment-requests?status=pending")).items[0].id;
}
