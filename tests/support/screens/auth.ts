import type { Page } from "@playwright/test";
import { errors } from "../../../src/domain/errors/messages.ts";
import { keepWaiting, refuse, seen, type Screen } from "./screen.ts";

const toSignUp = async (page: Page): Promise<void> => {
  await page.goto("/auth");
  await page.getByRole("button", { name: "Sign up" }).click();
  await seen(page.getByRole("heading", { name: "Create Account" }));
};
const fillIn = async (page: Page): Promise<void> => {
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
};
const typeCode = async (page: Page): Promise<void> => {
  await page.goto("/auth");
  await page.getByLabel("Verification code").first().focus();
  await page.keyboard.type("000000");
};

/** The page as a used link leaves it for the account whose session it began, after a reload. */
const afterRecoveryLink = async (page: Page): Promise<void> => {
  await page.goto("/");
  await page.evaluate(() => {
    const { user } = JSON.parse(localStorage.getItem("sb-pipwright-auth-token") ?? "") as { user: { id: string } };
    history.replaceState({ usr: { recovery: { token: "taken", account: user.id } } }, "", "/auth");
  });
  await page.reload();
};

/** Signing in, signing up, verifying and the forgotten password. */
export const authScreens: Screen[] = [
  {
    name: "auth, loading",
    as: "unpaid",
    open: async (page) => {
      await keepWaiting(page, "**/api/me");
      await page.goto("/auth");
      await seen(page.getByText("Loading..."));
    },
  },
  {
    name: "auth, login",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth");
      await seen(page.getByRole("heading", { name: "Welcome Back" }));
    },
  },
  {
    name: "auth, login refused",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth");
      await fillIn(page);
      await page.getByRole("button", { name: "Show password" }).click();
      await page.getByRole("button", { name: "Sign In" }).click();
      await seen(page.getByText(errors.credentials_invalid.text));
    },
  },
  {
    name: "auth, busy",
    as: "visitor",
    open: async (page) => {
      await keepWaiting(page, "**/auth/v1/token*");
      await page.goto("/auth");
      await fillIn(page);
      await page.getByRole("button", { name: "Sign In" }).click();
      await seen(page.getByText("Please wait..."));
    },
  },
  { name: "auth, sign-up", as: "visitor", open: toSignUp },
  {
    name: "auth, sign-up for Advanced",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth?mode=sign-up&next=%2Fpayment%3Fpackage%3Dadvanced");
      await seen(page.getByText("You chose"));
    },
  },
  {
    name: "auth, session ended",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth?next=%2Fpayment%3Fpackage%3Dadvanced");
      await page.evaluate(() => sessionStorage.setItem("session-lost", "yes"));
      await page.reload();
      await seen(page.getByText(errors.no_session.text));
      await page.evaluate(() => sessionStorage.clear());
    },
  },
  {
    name: "auth, sign-up refused",
    as: "visitor",
    open: async (page) => {
      await toSignUp(page);
      await page.getByLabel("Full Name").fill(" ");
      await fillIn(page);
      await page.getByRole("button", { name: "Create Account" }).click();
      await seen(page.getByText(errors.full_name_missing.text));
    },
  },
  {
    name: "auth, verification",
    as: "unverified",
    open: async (page) => {
      await page.goto("/auth");
      await seen(page.getByRole("button", { name: "Verify Email" }));
    },
  },
  {
    name: "auth, wrong code and failed resend",
    as: "unverified",
    open: async (page) => {
      await refuse(page, "**/functions/v1/verify-email", errors.verification_code_invalid.text, "verification_code_invalid");
      await refuse(page, "**/functions/v1/send-verification-email");
      await typeCode(page);
      await page.getByRole("button", { name: "Verify Email" }).click();
      await seen(page.getByText(errors.verification_code_invalid.text));
      await page.getByRole("button", { name: "Resend code" }).click();
      await seen(page.getByText(errors.resend_failed.text));
    },
  },
  {
    name: "auth, verifying",
    as: "unverified",
    open: async (page) => {
      await keepWaiting(page, "**/functions/v1/verify-email");
      await typeCode(page);
      await page.getByRole("button", { name: "Verify Email" }).click();
      await seen(page.getByText("Verifying..."));
    },
  },
  {
    name: "auth, code resent",
    as: "unverified",
    open: async (page) => {
      await page.route("**/functions/v1/send-verification-email", (route) =>
        route.fulfill({ json: { sent: true, resend_after: 60 } }),
      );
      await page.goto("/auth");
      await page.getByRole("button", { name: "Resend code" }).click();
      await seen(page.getByText(/in \d+ s/));
    },
  },
  {
    name: "auth, forgot password",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth");
      await page.getByRole("button", { name: "Forgot your password?" }).click();
      await seen(page.getByRole("button", { name: "Send the link" }));
    },
  },
  {
    name: "auth, recovery mail sent",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth");
      await page.getByRole("button", { name: "Forgot your password?" }).click();
      // The form before has such a field too.
      await seen(page.getByRole("heading", { name: "Reset your password" }));
      await page.getByLabel("Email").fill("nobody@example.com");
      await page.getByRole("button", { name: "Send the link" }).click();
      await seen(page.getByText("Please check your mailbox"));
    },
  },
  {
    name: "auth, new password",
    as: "unpaid",
    open: async (page) => {
      await afterRecoveryLink(page);
      await seen(page.getByRole("button", { name: "Save the new password" }));
    },
  },
  {
    name: "auth, new password refused",
    as: "unpaid",
    open: async (page) => {
      await afterRecoveryLink(page);
      await page.getByLabel("New password").fill("short");
      await page.getByRole("button", { name: "Save the new password" }).click();
      await seen(page.getByRole("alert"));
    },
  },
  {
    name: "auth, dead recovery link",
    as: "visitor",
    open: async (page) => {
      await page.goto("/auth#recovery=no-such-token");
      await seen(page.getByRole("link", { name: "Back to sign in" }));
    },
  },
];
