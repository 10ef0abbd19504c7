// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { show } from "../../../tests/support/render.tsx";
import { InlineText } from "./inline-text.tsx";

const onSave = vi.fn<(text: string) => Promise<unknown>>();
beforeEach(() => void onSave.mockReset().mockResolvedValue(undefined));

async function change(typed: string) {
  const { user } = show(<InlineText text="Basics" label="Module" schema={z.string()} onSave={onSave} />);
  await user.click(screen.getByRole("button", { name: "Basics" }));
  await user.keyboard(typed);
  return { user, field: screen.queryByRole<HTMLInputElement>("textbox", { name: "Module" }) };
}

// VIDEOS-2
test.each([
  ["Enter", "Setups{Enter}", [["Setups"]]],
  ["leaving the field", "Setups{Tab}", [["Setups"]]],
  ["Escape", "Setups{Escape}", []],
])("a text that was typed, after %s", async (_how, typed, saved) => {
  await change(typed);
  await waitFor(() => expect(screen.queryByRole("textbox")).toBeNull());
  expect(onSave.mock.calls).toEqual(saved);
});

test("a field left as it was opened does not take back a change made elsewhere", async () => {
  const of = (text: string) => <InlineText text={text} label="Module" schema={z.string()} onSave={onSave} />;
  const { user, rerender } = show(of("Basics"));
  await user.click(screen.getByRole("button", { name: "Basics" }));
  rerender(of("Setups"));
  await user.tab();
  expect(await screen.findByRole("button", { name: "Setups" })).toBeDefined();
  expect(onSave).not.toHaveBeenCalled();
});

test("a half typed text waits while its window is left for another one", async () => {
  const { user, field } = await change("Set");
  fireEvent.blur(field!);
  expect(screen.getByRole("textbox")).toBe(field);
  expect(onSave).not.toHaveBeenCalled();
  await user.keyboard("ups{Enter}");
  await waitFor(() => expect(onSave.mock.calls).toEqual([["Setups"]]));
});
