import type { Page } from "@playwright/test";
import { errors } from "../../../src/domain/errors/messages.ts";
import { dialogOn, keepWaiting, refuse, seen, type Screen } from "./screen.ts";

const account = async (page: Page): Promise<void> => {
  await page.goto("/account");
  await seen(page.getByText("This device"));
};

/** A call of the auth service that is refused as auth-js reads it. */
const refuseAuth = (page: Page, address: string, status: number, code: string, message: string): Promise<unknown> =>
  page.route(address, (route) =>
    route.fulfill({ status, headers: { "x-supabase-api-version": "2024-01-01" }, json: { code, message } }),
  );

/** The auth service's reply for an account, with changes. */
const withUser = (page: Page, changes: object): Promise<unknown> =>
  page.route("**/auth/v1/user", async (route) => {
    if (route.request().method() !== "GET") return route.fallback();
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), ...changes } });
  });

const enrolment = {
  id: "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a",
  type: "totp",
  friendly_name: "",
  totp: {
    qr_code: "",
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    uri: "otpauth://totp/Pipwright:anan.srisuk%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pipwright",
  },
  recovery_codes: Array.from({ length: 10 }, (_, index) => `7kq2m-x9d4${index}`),
};
const startEnrolment = async (page: Page): Promise<void> => {
  await page.route("**/auth/v1/factors", (route) => route.fulfill({ json: enrolment }));
  await account(page);
  await page.getByRole("button", { name: "Set up" }).click();
  await seen(page.getByRole("img", { name: "QR code for your authenticator app" }));
};
const factor = (recoveryCodesLeft: number) => ({
  id: enrolment.id,
  factor_type: "totp",
  status: "verified",
  created_at: "2026-11-01T08:00:00.000Z",
  updated_at: "2026-11-01T08:00:00.000Z",
  recovery_codes_left: recoveryCodesLeft,
});

/** A session other than the current one. */
const otherSession = {
  id: enrolment.id,
  device: "Safari on iPhone",
  network: "2001:db8:85a3::8a2e:370:7334",
  created_at: "2026-11-01T08:00:00.000Z",
  last_seen_at: "2026-11-20T21:14:00.000Z",
  current: false,
};
const withOtherSession = (page: Page): Promise<unknown> =>
  page.route("**/api/sessions*", async (route) => {
    const reply = await (await route.fetch()).json();
    await route.fulfill({ json: { items: [...reply.items, otherSession], next_cursor: null } });
  });

const screen = (name: string, open: Screen["open"], as: Screen["as"] = "unpaid"): Screen => ({
  name: `account, ${name}`,
  as,
  open,
});

/** The account page, in each of its states. */
export const accountScreens: Screen[] = [
  screen("a student's", async (page) => {
    await withOtherSession(page);
    await account(page);
  }),
  screen("the admin's", account, "admin"),
  screen("loading", async (page) => {
    await keepWaiting(page, "**/auth/v1/user");
    await keepWaiting(page, "**/api/sessions*");
    await page.goto("/account");
    await seen(page.getByRole("heading", { name: "Your account" }));
  }),
  screen("not loaded", async (page) => {
    await refuse(page, "**/api/sessions*");
    await refuse(page, "**/auth/v1/user");
    await page.goto("/account");
    await seen(page.getByRole("button", { name: "Try again" }));
  }),
  screen("empty forms", async (page) => {
    await account(page);
    await page.getByLabel("Full Name").fill(" ");
    for (const name of ["Save name", "Send the code", "Change password"]) await page.getByRole("button", { name }).click();
    await seen(page.getByText("Please enter your current password."));
  }),
  screen("name saved", async (page) => {
    await account(page);
    await page.getByRole("button", { name: "Save name" }).click();
    await seen(page.getByText("Saved."));
  }),
  screen("proving a new address", async (page) => {
    await withUser(page, { new_email: "anan.srisuk.trading@example.org" });
    await refuseAuth(page, "**/auth/v1/verify", 400, "verification_code_invalid", errors.verification_code_invalid.text);
    await account(page);
    await page.getByLabel("Code from the mail").fill("000000");
    await page.getByRole("button", { name: "Use the new address" }).click();
    await seen(page.getByText(errors.verification_code_invalid.text));
  }),
  screen("setting up a second factor", startEnrolment),
  screen("wrong first code", async (page) => {
    await refuseAuth(
      page,
      "**/auth/v1/factors/*/challenge",
      422,
      "mfa_verification_failed",
      errors.second_factor_code_invalid.text,
    );
    await startEnrolment(page);
    await page.getByLabel("Code from the app").fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await seen(page.getByRole("alert"));
  }),
  screen("second factor on", async (page) => {
    await withUser(page, { factors: [factor(2)] });
    await account(page);
    await seen(page.getByText("Few recovery codes are left."));
  }),
  screen("turning the second factor off", async (page) => {
    await withUser(page, { factors: [factor(10)] });
    await account(page);
    await page.getByRole("button", { name: "Turn off" }).click();
    await dialogOn(page);
  }),
  screen("confirming that it is you", async (page) => {
    await refuseAuth(page, "**/auth/v1/factors", 403, "step_up_needed", errors.step_up_needed.text);
    await account(page);
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("alertdialog").getByLabel("Your password").fill("a guess");
    await page.getByRole("button", { name: "Confirm" }).click();
    await seen(page.getByText(errors.password_confirmation_wrong.text));
  }),
  screen("the code at sign-in", async (page) => {
    await refuse(page, "**/api/me", errors.second_factor_needed.text, "second_factor_needed");
    await withUser(page, { factors: [factor(10)] });
    await page.goto("/auth");
    await seen(page.getByRole("textbox", { name: "Code from the app" }));
  }),
  screen("a recovery code at sign-in", async (page) => {
    await refuse(page, "**/api/me", errors.second_factor_needed.text, "second_factor_needed");
    await refuseAuth(
      page,
      "**/auth/v1/factors/*/challenge",
      422,
      "mfa_verification_failed",
      errors.second_factor_code_invalid.text,
    );
    await withUser(page, { factors: [factor(10)] });
    await page.goto("/auth");
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill("7kq2m-x9d40");
    await page.getByRole("button", { name: "Sign In" }).click();
    await seen(page.getByRole("alert"));
  }),
];
