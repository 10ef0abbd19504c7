import type { Page } from "@playwright/test";
import { quotedTexts } from "../../../src/domain/texts/quoted-texts.ts";

const named = (start: string): string[] => [...quotedTexts.keys()].filter((name) => name.startsWith(start));

/** Which of the quoted texts stand on which screen. */
export const textsOn: Record<string, string[]> = {
  "auth, loading": ["session.loading"],
  landing: [...named("landing."), ...named("figure."), ...named("curriculum."), ...named("feature."), "footer.year"],
  "auth, login": ["auth.signInTitle", "auth.signIn", "auth.forgotPassword"],
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
  "admin, payments, approved": ["currency.thai_bank"],
  "admin, deleting a user": ["admin.confirmDeleteUser", "error.user_delete_failed"],
  "admin, deleting a video": ["admin.confirmDeleteVideo"],
  "admin, error banner": ["error.users_fetch_failed"],
  "dashboard data not loaded": ["error.dashboard_load_failed"],
  "session gone": ["error.no_session"],
  "auth, session ended": ["error.no_session"],
  "tier not changed": ["error.user_role_update_failed"],
  "Bitcoin price not fetched": ["error.bitcoin_price_failed"],
  "Ethereum price not fetched": ["error.ethereum_price_failed"],
  "video without a film": ["error.video_source_missing"],
  "film no video": ["error.video_type_invalid"],
  "film too large": ["error.video_too_large"],
};

const isShortWord = (text: string): boolean => text.length < 15 && !/\d|^[A-Z]+$/.test(text);

/** The quoted texts that cannot be read on the page now: a short word must stand alone, all else may be part of a line. */
export async function missingTexts(page: Page, names: string[]): Promise<string[]> {
  const lines = (await page.locator("body").innerText()).split(/[\n\t]/).map((line) => line.trim());
  const isThere = (text: string): boolean => lines.some((line) => (isShortWord(text) ? line === text : line.includes(text)));
  return names.filter((name) => !isThere(quotedTexts.get(name)?.text ?? "a text that is not in the list"));
}
