import type { AuditEntry } from "../../../src/domain/api/audit.ts";
import { adminScreen, openTab } from "./admin-screen.ts";
import { emptied, refuse, seen, type Screen } from "./screen.ts";

/** With or without filters. */
const auditLog = /\/api\/audit-log(\?|$)/;
const longEmail = `${"somchai-the-second-of-that-name.".repeat(3)}pattana@mail.example.com`;
const payment = { payer: longEmail, package_type: "advanced", amount_usd: "997" };
const entries: Omit<AuditEntry, "id">[] = [
  {
    at: "2026-11-22T09:30:00.000Z",
    actor_email: "admin@example.com",
    action: "payment-request.approve",
    subject_type: "payment-request",
    subject_id: "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a",
    details: {
      ...payment,
      before: { status: "pending", tier: "unpaid" },
      after: { status: "approved", tier: "advanced", receipt_number: "2026-00042" },
      note: "Seen in the bank's app",
    },
    ip: "203.0.113.9",
  },
  {
    at: "2026-11-22T09:00:00.000Z",
    actor_email: "admin@example.com",
    action: "wallet-settings.save",
    subject_type: "wallet-settings",
    subject_id: "1",
    details: {
      before: { bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", alert_email: "" },
      after: { bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", alert_email: longEmail },
    },
    ip: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
  },
  {
    at: "2026-11-22T08:00:00.000Z",
    actor_email: "somebody",
    action: "admin.sign-in-failed",
    subject_type: "account",
    subject_id: "00000000-0000-4000-8000-000000000001",
    details: {},
    ip: "198.51.100.7",
  },
];

/** The audit log with long values, without an entry, and while it cannot be read. */
export const auditScreens: Screen[] = [
  adminScreen("audit log", async (page) => {
    const items = entries.map((entry, index) => ({ id: 9 - index, ...entry }));
    await page.route(auditLog, (route) => route.fulfill({ json: { items, next_cursor: null } }));
    await openTab(page, "audit");
    await seen(page.getByText("approved the payment"));
    for (const details of await page.locator("summary").all()) await details.click();
    await seen(page.getByText("2026-00042"));
  }),
  adminScreen("audit log with filters and no match", async (page) => {
    await emptied(page, auditLog);
    await page.goto(
      `/admin?tab=audit&actor=${encodeURIComponent(longEmail)}&subject=1&subject_type=wallet-settings&action=coupon.create`,
    );
    await seen(page.getByText("No entry matches"));
  }),
  adminScreen("audit log not loaded", async (page) => {
    await refuse(page, auditLog);
    await openTab(page, "audit");
    await seen(page.getByText("The audit log could not be loaded"));
  }),
];
