import { expect, test } from "vitest";
import * as z from "zod/mini";
import { Rejection, SubmitPaymentRequest } from "../api/payments/payment-inputs.ts";
import { NewVideo } from "../api/course/videos.ts";
import { WalletSettingsForm } from "../api/payments/wallet-settings.ts";
import { errorOfIssue } from "./input-errors.ts";
import { errors } from "./messages.ts";
import { bitcoinAddressFaults } from "../payment-methods/bitcoin/texts.ts";

/** The errors of a schema's issues, by field. */
function errorsOf(schema: { safeParse: (input: unknown) => any }, input: unknown): Record<string, string[]> {
  const issues: any[] = schema.safeParse(input).error?.issues ?? [];
  return Object.fromEntries(
    issues.map((issue) => {
      const error = errorOfIssue(issue);
      return [issue.path.join("."), [error.code, error.message]];
    }),
  );
}

test("a code of the catalogue becomes that error", () => {
  expect(errorsOf(Rejection, { reason: " " })).toEqual({ reason: ["reason_missing", errors.reason_missing.text] });
  expect(errorsOf(SubmitPaymentRequest, { upload_id: "mine" })).toMatchObject({
    upload_id: ["screenshot_missing", errors.screenshot_missing.text],
    consent: ["consent_missing", errors.consent_missing.text],
    quote_id: ["invalid_input", errors.invalid_input.text],
  });
});

test("a code of a field becomes invalid_input with that field's text", () => {
  const video = { title: "", description: "d", module: "x".repeat(101), order_index: 0, package_type: "both" };
  expect(errorsOf(NewVideo, video)).toEqual({
    title: ["invalid_input", "Please enter a title."],
    module: ["invalid_input", "Please use at most 100 characters."],
    order_index: ["invalid_input", "The order index starts at 1."],
  });
});

test.each([
  [z.number().check(z.gte(2)), 1, "Please enter at least 2."],
  [z.number().check(z.lte(2)), 3, "Please enter at most 2."],
  [z.string().check(z.minLength(2)), "a", "Please use at least 2 characters."],
  [z.string().check(z.maxLength(2)), "abc", "Please use at most 2 characters."],
  [z.array(z.number()).check(z.minLength(1)), [], "Please choose at least 1."],
  [z.array(z.number()).check(z.maxLength(1)), [1, 2], "Please choose at most 1."],
])("a limit without a code becomes invalid_input with its figure: %#", (schema, input, text) => {
  expect(errorsOf(schema, input)).toEqual({ "": ["invalid_input", text] });
});

test("each fault of an address has a text of its own", () => {
  const settings = { bitcoin_address: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", ethereum_address: "" };
  expect(errorsOf(WalletSettingsForm, settings)).toMatchObject({
    bitcoin_address: ["invalid_input", bitcoinAddressFaults.wrong_network],
    ethereum_address: ["invalid_input", "Please enter the address."],
  });
});

test("a text is no code, and neither is the name of an object's property", () => {
  for (const message of [errors.reason_missing.text, "constructor", "Invalid input"]) {
    expect(errorOfIssue({ message })).toMatchObject({ code: "invalid_input", hasOwnText: false });
  }
});
