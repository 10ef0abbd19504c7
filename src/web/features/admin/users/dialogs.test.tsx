// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { DeleteUserDialog } from "./dialogs.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { users: { remove: vi.fn<() => unknown>() } } }));

// USER-3, KEYS-5
test("another address than the student's is refused at the field, with the focus", async () => {
  const malee = { id: "1", email: "malee@example.com" };
  const { user } = show(<DeleteUserDialog user={malee} onDeleted={() => {}} onClose={() => {}} />);
  const field = screen.getByLabelText("Type the e-mail address to confirm");
  await user.type(field, "nok@example.com");
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(screen.getByRole("alert").textContent).toBe("This is not the address above.");
  expect(document.activeElement).toBe(field);
});
