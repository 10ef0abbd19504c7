// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { errors } from "#domain/errors/messages";
import { show } from "../../../../../tests/support/render.tsx";
import { ScreenshotField } from "./screenshot-field.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const image = new File(["bytes"], "receipt.png", { type: "image/png" });

function Field({ disabled = false }: { disabled?: boolean }): ReactNode {
  const [state, setState] = useState<{ file?: File | undefined; error?: string | undefined }>({});
  return (
    <ScreenshotField
      file={state.file}
      error={state.error}
      disabled={disabled}
      maxBytes={20 * 1024 ** 2}
      onChange={(file, error) => setState({ file, error })}
    />
  );
}

const input = (name = "Choose the payment screenshot") => screen.getByLabelText<HTMLInputElement>(name);

test("an empty field says what may be chosen", () => {
  show(<Field />);
  expect(input().accept).toBe("image/*");
  expect(screen.getByText(/^An image/)).toBeDefined();
});

test("shows a chosen image with its name, and removes it", async () => {
  const { user } = show(<Field />);
  await user.upload(input(), image);
  expect(screen.getByText("receipt.png")).toBeDefined();
  expect(screen.getByRole("img", { name: "Your chosen screenshot" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Remove" }));
  expect(screen.queryByText("receipt.png")).toBeNull();
  expect(input()).toBe(document.activeElement);
});

test("any other file is refused, and an earlier choice is dropped", async () => {
  const { user } = show(<Field />);
  await user.upload(input(), image);
  await user
    .setup({ applyAccept: false })
    .upload(input("Choose another"), new File(["text"], "notes.txt", { type: "text/plain" }));
  expect((await screen.findByRole("alert")).textContent).toBe(errors.screenshot_type_invalid.text);
  expect(input().getAttribute("aria-invalid")).toBe("true");
});

test("an image of the site's limit is refused with the server's text", async () => {
  const { user } = show(<Field />);
  const large = new File([], "receipt.png", { type: "image/png" });
  Object.defineProperty(large, "size", { value: 20 * 1024 ** 2 });
  await user.upload(input(), large);
  expect(screen.getByRole("alert").textContent).toBe("File size must be less than 20MB");
  expect(screen.queryByText("receipt.png")).toBeNull();
});

test("nothing can be chosen while the request is sent", () => {
  show(<Field disabled />);
  expect(input().disabled).toBe(true);
});
