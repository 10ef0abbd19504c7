import { errors, type ErrorCode } from "../errors/messages.ts";
import { packageBadges, packages } from "../packages.ts";
import { curriculum, fill, landingStats, moduleNames, texts } from "./texts.ts";
import { packageTag } from "../video-access.ts";
import { paymentMethods } from "../payment-methods/methods.ts";

export type QuotedScreen =
  | "loading"
  | "landing"
  | "auth"
  | "verification"
  | "student"
  | "payment"
  | "admin"
  | "demo"
  | "answer";

/** A quoted text (TEXT-1) and the screen that shows it. */
export interface QuotedText {
  screen: QuotedScreen;
  text: string;
}

/** Where each quoted error (TEXT-1) is read; `answer` means by the auth client, which then starts anew. */
const errorScreens = {
  backend_not_configured: "demo",
  auth_unreachable: "auth",
  unexpected: "student",
  verification_failed: "verification",
  verification_code_invalid: "verification",
  verification_code_incomplete: "verification",
  verification_email_failed: "verification",
  resend_failed: "verification",
  email_reserved: "auth",
  dashboard_load_failed: "admin",
  no_session: "admin",
  users_fetch_failed: "admin",
  user_role_update_failed: "admin",
  user_delete_failed: "admin",
  bitcoin_price_failed: "admin",
  ethereum_price_failed: "admin",
  video_source_missing: "admin",
  video_type_invalid: "admin",
  video_too_large: "admin",
  payment_info_failed: "payment",
  coupon_empty: "payment",
  coupon_invalid: "payment",
  coupon_lookup_failed: "payment",
  coupon_invalid_demo: "demo",
  screenshot_type_invalid: "payment",
  screenshot_too_large: "payment",
  screenshot_missing: "payment",
  payment_submit_failed: "payment",
  refresh_token_invalid: "answer",
} as const satisfies Partial<Record<ErrorCode, QuotedScreen>>;

const screenOf: Record<keyof typeof texts, QuotedScreen> = {
  session: "loading",
  landing: "landing",
  auth: "auth",
  verification: "verification",
  student: "student",
  payment: "payment",
  admin: "admin",
};

/**
 * Every quoted text by a name of its own, such as `payment.submit`, `error.coupon_empty` or `badge.starter`. A test finds each on
 * its screen (TEXT-1); this list is for tests, the screens read the catalogues themselves.
 */
export const quotedTexts: ReadonlyMap<string, QuotedText> = new Map([
  ...Object.entries(texts).flatMap(([group, some]) =>
    Object.entries<string>(some).map(([name, text]) => quoted(screenOf[group as keyof typeof texts], `${group}.${name}`, text)),
  ),
  ...landingStats.flatMap(({ figure, label }) => [
    quoted("landing", `figure.${figure}`, figure),
    quoted("landing", `figure.${label}`, label),
  ]),
  ...curriculum.flatMap((part) =>
    Object.entries(part).map(([name, text]) => quoted("landing", `curriculum.${part.title}.${name}`, text)),
  ),
  ...Object.entries(packages).flatMap(([type, { features }]) =>
    features.map((text) => quoted("landing", `feature.${type}.${text}`, text)),
  ),
  quoted("landing", "footer.year", "2024"),
  ...Object.entries(packageBadges).map(([tier, text]) => quoted("student", `badge.${tier}`, text)),
  ...Object.entries({ starter: "$497", advanced: "$997" }).map(([type, text]) => quoted("student", `price.${type}`, text)),
  ...moduleNames.map((text) => quoted("student", `module.${text}`, text)),
  quoted("student", "tag.both", packageTag("both")),
  ...Object.entries(paymentMethods).map(([method, { name }]) => quoted("payment", `method.${method}`, name)),
  quoted("admin", "currency.thai_bank", paymentMethods.thai_bank.currency),
  ...Object.entries(errorScreens).map(([code, screen]) => quoted(screen, `error.${code}`, errors[code as ErrorCode].text)),
]);

function quoted(screen: QuotedScreen, name: string, text: string): [string, QuotedText] {
  // A greeting is looked for with somebody's name in it.
  return [name, { screen, text: fill(text, { name: "Anan Srisuk" }) }];
}
