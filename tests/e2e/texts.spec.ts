import { join } from "node:path";
import type { Page } from "@playwright/test";
import { quotedTexts } from "../../src/domain/texts/quoted-texts.ts";
import { expect, test, type Role } from "../support/course.ts";
import { adminScreens } from "../support/screens/admin.ts";
import { authScreens } from "../support/screens/auth.ts";
import { failures } from "../support/screens/failures.ts";
import { openScreens } from "../support/screens/open.ts";
import { paymentScreens } from "../support/screens/payment.ts";
import { studentScreens } from "../support/screens/student.ts";
import { login } from "../support/login.ts";
import { startStaticHost } from "../support/static-host.ts";

test.use({ trace: "off" });

const screens = new Map(
  [...openScreens, ...authScreens, ...studentScreens, ...paymentScreens, ...adminScreens, ...failures].map((screen) => [
    screen.name,
    screen,
  ]),
);
const named = (start: string): string[] => [...quotedTexts.keys()].filter((name) => name.startsWith(start));

/** Where to go, and which of the quoted texts stand there. */
const places: Record<string, string[]> = {
  "auth, loading": ["session.loading"],
  landing: [...named("landing."), ...named("figure."), ...named("curriculum."), ...named("feature."), "footer.year"],
  "auth, login": ["auth.signInTitle", "auth.signIn"],
  "auth, sign-up": ["auth.signUpTitle", "auth.signUp", "auth.fullName"],
  "auth, busy": ["auth.busy"],
  "auth not reachable": ["error.auth_unreachable"],
  "sign-up with the admin's address": ["error.email_reserved"],
  "auth, verification": ["verification.back", "verification.verify"],
  "auth, verifying": ["verification.verifying"],
  "auth, wrong code and failed resend": ["error.verification_code_invalid", "error.resend_failed"],
  "first code not mailed": ["error.verification_email_failed"],
  "code incomplete": ["error.verification_code_incomplete"],
  "verification failed": ["error.verification_failed"],
  "student, loading": ["student.loading"],
  "student, unpaid": [
    ...named("student.").filter((name) => !["student.loading", "student.paidMessage"].includes(name)),
    ...named("price."),
    ...named("module."),
    "badge.unpaid",
    "tag.both",
  ],
  "student, starter, request approved": ["student.paidMessage", "badge.starter"],
  "student, advanced": ["badge.advanced"],
  "student, video not opened": ["error.unexpected"],
  "payment, bitcoin": [
    ...["launchOffer", "launchCode", "apply", "uploadLimit", "submit", "importantNotes", "backToDashboard", "logout"].map(
      (name) => `payment.${name}`,
    ),
    ...named("method."),
  ],
  "payment, coupon applied": ["payment.remove"],
  "payment, submitted": ["payment.submitted", "payment.whatNext", "payment.returnToDashboard"],
  "payment, error": ["error.payment_info_failed"],
  "payment, coupon refused": ["error.coupon_invalid"],
  "coupon empty": ["error.coupon_empty"],
  "coupon not looked up": ["error.coupon_lookup_failed"],
  "no screenshot": ["error.screenshot_missing"],
  "screenshot no image": ["error.screenshot_type_invalid"],
  "screenshot too large": ["error.screenshot_too_large"],
  "submit failed": ["error.payment_submit_failed"],
  "admin, loading": ["admin.loading"],
  "admin, users": ["badge", "users", "payments", "videos", "settings", "logout"].map((name) => `admin.${name}`),
  "admin, payments": ["currency.thai_bank"],
  "admin, deleting a user": ["admin.confirmDeleteUser", "error.user_delete_failed"],
  "admin, deleting a video": ["admin.confirmDeleteVideo"],
  "admin, error banner": ["error.users_fetch_failed"],
  "dashboard data not loaded": ["error.dashboard_load_failed"],
  "session gone": ["error.no_session"],
  "tier not changed": ["error.user_role_update_failed"],
  "Bitcoin price not fetched": ["error.bitcoin_price_failed"],
  "Ethereum price not fetched": ["error.ethereum_price_failed"],
  "video without a film": ["error.video_source_missing"],
  "film no video": ["error.video_type_invalid"],
  "film too large": ["error.video_too_large"],
};
/** They leave somebody signed in or out. */
const inOwnWindow = ["first code not mailed", "session gone"];
const inDemo = ["error.backend_not_configured", "error.coupon_invalid_demo"];
const inAnswers = ["error.refresh_token_invalid"];

const isShortWord = (text: string): boolean => text.length < 15 && !/\d|^[A-Z]+$/.test(text);

/** The quoted texts that cannot be read on the page now: a short word must stand alone, all else may be part of a line. */
async function missing(page: Page, names: string[]): Promise<string[]> {
  const lines = (await page.locator("body").innerText()).split(/[\n\t]/).map((line) => line.trim());
  const isThere = (text: string): boolean => lines.some((line) => (isShortWord(text) ? line === text : line.includes(text)));
  return names.filter((name) => !isThere(quotedTexts.get(name)?.text ?? "a text that is not in the list"));
}

test("every quoted text has a place, and every place is known", () => {
  const covered = [...Object.values(places).flat(), ...inDemo, ...inAnswers];
  expect(covered.toSorted()).toEqual([...quotedTexts.keys()].toSorted());
  expect(Object.keys(places).filter((name) => !screens.has(name))).toEqual([]);
});

for (const area of ["visitor", "unverified", "students", "admin"] as const) {
  const isHere = (role: Role): boolean =>
    area === "students" ? !["visitor", "unverified", "admin"].includes(role) : role === area;
  test(`the quoted texts stand on their screens: ${area}`, async ({ browser, course }) => {
    test.setTimeout(120_000);
    const pages = new Map<Role, Page>();
    for (const [place, names] of Object.entries(places)) {
      const screen = screens.get(place);
      if (!screen || !isHere(screen.as)) continue;
      await test.step(place, async () => {
        const isOwn = inOwnWindow.includes(place);
        const kept = isOwn ? undefined : pages.get(screen.as);
        const page = kept ?? (await (await course.windowOf(screen.as, browser)).newPage());
        if (!isOwn) pages.set(screen.as, page);
        await screen.open(page, course);
        await expect.poll(() => missing(page, names), place).toEqual([]);
        await page.unrouteAll({ behavior: "ignoreErrors" });
      });
    }
    for (const page of pages.values()) await page.context().close();
  });
}

test("the quoted texts stand on their screens: without a backend", async ({ page }) => {
  const host = await startStaticHost(join(import.meta.dirname, "../../dist/demo"));
  await login(page, { email: "visitor@example.com", password: "a fine long password" }, host.origin);
  await expect.poll(() => missing(page, ["error.backend_not_configured"])).toEqual([]);
  await page.goto(`${host.origin}/payment`);
  await page.getByLabel("Coupon code").fill("nope");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => missing(page, ["error.coupon_invalid_demo"])).toEqual([]);
  host.close();
});

test("a refused refresh token has the quoted text", async ({ course }) => {
  const reply = await fetch(`${course.site.url}/auth/v1/token?grant_type=refresh_token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ refresh_token: "no such token" }),
  });
  expect(await reply.text()).toContain(quotedTexts.get("error.refresh_token_invalid")?.text);
});
