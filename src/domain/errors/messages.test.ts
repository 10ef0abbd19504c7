import { describe, expect, it } from "vitest";
import { fieldTexts } from "./field-texts.ts";
import { errors, ProductError, type ErrorCode } from "./messages.ts";

/** The quoted error texts (TEXT-1), copied by hand. */
const quoted = [
  "Supabase configuration is missing. Please set up your environment variables.",
  "Unable to connect to authentication service. Please check your internet connection and try again.",
  "An unexpected error occurred. Please try again.",
  "Verification failed. Please try again.",
  "Invalid or expired verification code",
  "Please enter the complete 6-digit code",
  "Failed to send verification email",
  "Failed to resend code. Please try again.",
  "This email is reserved for admin access. Please use the login form instead.",
  "Failed to load dashboard data",
  "No session found",
  "Failed to fetch users",
  "Failed to update user role",
  "Failed to delete user",
  "Failed to fetch Bitcoin price",
  "Failed to fetch Ethereum price",
  "Please either upload a video file or provide a video URL",
  "Please upload a video file",
  "Video file size must be less than 5GB",
  "Failed to load payment information",
  "Please enter a coupon code",
  "Invalid or expired coupon code",
  "Failed to validate coupon code",
  "Invalid coupon code",
  "Please upload an image file",
  "File size must be less than 5GB",
  "Please upload a payment screenshot",
  "Failed to submit payment request",
  "Invalid Refresh Token",
];

const texts: string[] = Object.values(errors).map(({ text }) => text);

describe("the catalogue of errors", () => {
  it.each(quoted)("has, word for word: %s", (text) => expect(texts.filter((known) => known === text)).toHaveLength(1));

  it("has no text twice", () => expect(new Set(texts).size).toBe(texts.length));

  it.each(Object.keys(errors) as ErrorCode[])("has an HTTP status and a text for %s", (code) => {
    expect(errors[code].status).toBeGreaterThanOrEqual(400);
    expect(errors[code].status).toBeLessThan(600);
    expect(errors[code].text).toMatch(/^[A-Z].*[A-Za-z.5/]$/);
  });
});

it.each(Object.entries(fieldTexts))("has a whole sentence for the field's fault %s", (_code, text) => {
  expect(text).toMatch(/^[A-Z].*[.:/]$/);
});

describe("a product error", () => {
  it("finds its status and text by its code", () => {
    const error = new ProductError("payment_request_open");
    expect([error.code, error.status, error.message]).toEqual(["payment_request_open", 409, errors.payment_request_open.text]);
    expect(error.retryAfter).toBeUndefined();
  });

  it("says in a log what it is and what caused it", () => {
    const cause = new Error("No space left on the device.");
    const error = new ProductError("insufficient_storage", { cause });
    expect(String(error)).toBe(`ProductError: ${errors.insufficient_storage.text}`);
    expect(error.cause).toBe(cause);
  });

  it("may carry its own words and the seconds to wait", () => {
    const error = new ProductError("too_many_requests", { text: "Slowly, please.", retryAfter: 30 });
    expect([error.message, error.status, error.retryAfter]).toEqual(["Slowly, please.", 429, 30]);
    expect([error.hasOwnText, new ProductError("unexpected").hasOwnText]).toEqual([true, false]);
  });
});
