// @vitest-environment happy-dom
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { fieldTexts } from "#domain/errors/field-texts";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../tests/support/render.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { FormError } from "../ui/form-error.tsx";
import { useForm } from "./form.ts";

const send = vi.fn<(data: { email: string }) => Promise<string>>();
beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  send.mockReset();
  onDone.mockReset();
});

const onDone = vi.fn<(reply: string) => void>();
function Form(): ReactNode {
  const form = useForm({
    initial: { email: "" },
    schema: z.object({ email: z.string().check(z.trim(), z.minLength(1, code("email_invalid"))) }),
    mutationFn: send,
    onDone,
    fieldOfCode: { email_reserved: "email" },
    fallback: "resend_failed",
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <TextField label="Email" {...form.field("email")} />
      {form.error !== undefined && <p role="alert">{form.error}</p>}
      <p role="status">{form.result ?? ""}</p>
      {form.isUnsaved && <p>Unsaved</p>}
      <button type="submit" disabled={form.isPending}>
        Save
      </button>
    </form>
  );
}

const save = () => screen.getByRole("button", { name: "Save" });
const email = () => screen.getByRole("textbox", { name: "Email" });

test("the schema refuses before anything is sent, and its field gets the focus", async () => {
  const { user } = show(<Form />);
  await user.click(save());
  expect((await screen.findByRole("alert")).textContent).toBe(errors.email_invalid.text);
  expect(document.activeElement).toBe(email());
  expect(send).not.toHaveBeenCalled();
});

function Question(): ReactNode {
  const form = useForm({
    initial: { reason: "" },
    schema: z.object({ reason: z.string().check(z.minLength(1, code("reason_missing"))) }),
    mutationFn: async () => {},
  });
  return (
    <ConfirmDialog open title="Reject it" confirmLabel="Reject" onConfirm={form.onSubmit} onCancel={() => {}}>
      <TextField label="Reason" {...form.field("reason")} />
    </ConfirmDialog>
  );
}

// KEYS-5
test("the wrong field of a dialog gets the focus", async () => {
  const { user } = show(<Question />);
  await user.click(screen.getByRole("button", { name: "Reject" }));
  expect((await screen.findByRole("alert")).textContent).toBe(errors.reason_missing.text);
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Reason" }));
});

function WithHidden(): ReactNode {
  const [isHidden, setHidden] = useState(false);
  const form = useForm({
    initial: { email: "", day: "" },
    schema: z.object({ email: z.string(), day: z.iso.date(code("date_invalid")) }),
    mutationFn: send,
  });
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <TextField label="Email" {...form.field("email")} />
      {!isHidden && <TextField label="Day" {...form.field("day")} />}
      <FormError form={form} />
      <button type="button" onClick={() => setHidden(true)}>
        Hide
      </button>
      <button type="submit">Save</button>
    </form>
  );
}

// TEXT-2
test("what is wrong with a field that is not displayed is said of the form as a whole", async () => {
  const { user } = show(<WithHidden />);
  await user.click(save());
  expect((await screen.findByRole("alert")).textContent).toBe(fieldTexts.date_invalid);
  await user.click(screen.getByRole("button", { name: "Hide" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(save());
  expect((await screen.findByRole("alert")).textContent).toBe(fieldTexts.date_invalid);
});

test("what the schema made of the values is sent, once while it is pending", async () => {
  let reply = (_text: string): void => {};
  send.mockReturnValue(new Promise((resolve) => (reply = resolve)));
  const { user } = show(<Form />);
  await user.type(email(), " a@example.com {Enter}");
  expect((save() as HTMLButtonElement).disabled).toBe(true);
  await user.type(email(), "{Enter}");
  expect(send.mock.calls).toEqual([[{ email: "a@example.com" }]]);
  reply("Saved.");
  expect(await screen.findByText("Saved.")).toBeDefined();
});

test.each([
  ["is done with what was sent", "", 1],
  ["keeps what is typed while it is sent, as unsaved", "x", 0],
])("%s", async (_what, typed, times) => {
  let reply = (_text: string): void => {};
  send.mockReturnValue(new Promise((resolve) => (reply = resolve)));
  const { user } = show(<Form />);
  await user.type(email(), "a@example.com{Enter}");
  await user.type(email(), typed || "{End}");
  reply("Saved.");
  await waitFor(() => expect((save() as HTMLButtonElement).disabled).toBe(false));
  expect(onDone).toHaveBeenCalledTimes(times);
  expect(screen.queryAllByText("Unsaved")).toHaveLength(1 - times);
});

test("is not done once it is gone", async () => {
  let reply = (_text: string): void => {};
  send.mockReturnValue(new Promise((resolve) => (reply = resolve)));
  const { user } = show(<Form />);
  await user.type(email(), "a@example.com{Enter}");
  cleanup();
  await act(async () => reply("Saved."));
  expect(onDone).not.toHaveBeenCalled();
});

test("an error stands at the field that its code concerns, until that is edited", async () => {
  send.mockRejectedValue(new ProductError("email_reserved"));
  const { user } = show(<Form />);
  await user.type(email(), "admin@example.com{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(errors.email_reserved.text);
  expect(email().getAttribute("aria-invalid")).toBe("true");
  await user.type(email(), "x");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("any other error concerns the form; one without a text has the fallback's", async () => {
  send.mockRejectedValueOnce(new ProductError("not_allowed")).mockRejectedValueOnce(new ProductError("offline"));
  const { user } = show(<Form />);
  await user.type(email(), "a@example.com{Enter}");
  expect((await screen.findByText(errors.not_allowed.text)).getAttribute("role")).toBe("alert");
  expect(email().getAttribute("aria-invalid")).toBeNull();
  await user.click(save());
  expect(await screen.findByText(errors.resend_failed.text)).toBeDefined();
});
