import type { Page } from "@playwright/test";
import type { GuardedChanges, UndoPreview } from "../../../src/domain/api/payments/guard.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import { refuse, seen, type Screen } from "./screen.ts";

const address = {
  field: "bitcoin_address",
  label: "Bitcoin address",
  before: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  after: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
} as const;

const changes: GuardedChanges = {
  items: [
    {
      id: 2,
      at: "2026-11-22T09:30:00.000Z",
      changes: [address, { field: "alert_email", label: "Alert email", before: "owner@example.com", after: "" }],
      by: "admin@example.com",
      network: "203.0.113.7",
      device: "Chrome on Windows",
      undo_until: "2026-11-25T09:30:00.000Z",
      undone_at: null,
    },
    {
      id: 1,
      at: "2026-11-21T18:00:00.000Z",
      changes: [{ field: "bitcoin_price_usd", label: "Bitcoin price (USD)", before: "45000", after: "1" }],
      by: "admin@example.com",
      network: "2001:db8::7",
      device: "Safari on iPhone",
      undo_until: "2026-11-24T18:00:00.000Z",
      undone_at: "2026-11-21T18:20:00.000Z",
    },
  ],
  takes_effect: [{ crypto_type: "bitcoin", at: "2026-11-23T09:30:00.000Z" }],
};

const preview: UndoPreview = {
  changed_at: "2026-11-22T09:30:00.000Z",
  undo_until: "2026-11-25T09:30:00.000Z",
  restores: [{ ...address, before: address.after, after: address.before }],
  stays: ["Bitcoin price (USD)"],
};

async function undoPage(page: Page): Promise<void> {
  await page.route("**/api/undo/preview", (route) => route.fulfill({ json: preview }));
  await page.goto("/undo#token");
  await seen(page.getByText("Bitcoin address"));
}

/** What tells the owner of a changed destination, and undoes it. */
export const guardScreens: Screen[] = [
  { name: "undo, asked", as: "visitor", open: undoPage },
  {
    name: "undo, done",
    as: "visitor",
    open: async (page) => {
      await undoPage(page);
      await page.route("**/api/undo", (route) => route.fulfill({ json: { restored: preview.restores } }));
      await page.getByRole("button", { name: "Undo this change" }).click();
      await seen(page.getByRole("heading", { name: "The change is undone" }));
    },
  },
  {
    name: "undo, an expired link",
    as: "visitor",
    open: async (page) => {
      await refuse(page, "**/api/undo/preview", errors.undo_link_expired.text, "undo_link_expired");
      await page.goto("/undo#expired");
      await seen(page.getByRole("heading", { name: "Nothing to undo by this link" }));
    },
  },
  {
    name: "undo, a link that could not be checked",
    as: "visitor",
    open: async (page) => {
      await refuse(page, "**/api/undo/preview", errors.too_many_requests.text, "too_many_requests");
      await page.goto("/undo#token");
      await seen(page.getByRole("button", { name: "Try again" }));
    },
  },
  {
    name: "changes of destinations, noticed",
    as: "admin",
    open: async (page) => {
      await page.route("**/api/wallet-settings/changes", (route) => route.fulfill({ json: changes }));
      await page.goto("/admin?tab=settings");
      await page.getByText("The payment settings were changed").click();
      await seen(page.getByText("Alert email: empty, before owner@example.com"));
    },
  },
  {
    name: "open quotes, asked before they end",
    as: "admin",
    open: async (page) => {
      await page.route("**/api/wallet-settings/open-quotes", (route) => route.fulfill({ json: { count: 12 } }));
      await page.goto("/admin?tab=settings");
      await page.getByRole("button", { name: "Void open quotes" }).click();
      await seen(page.getByText("12 open quotes will end at once."));
    },
  },
];
