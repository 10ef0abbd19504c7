// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Route, Routes } from "react-router";
import { beforeEach, expect, test, vi } from "vitest";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { repeatAfterStepUp, settleStepUp } from "../../platform/step-up.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { SessionLayout } from "./session-layout.tsx";

const chunk = vi.hoisted(() => ({ isGone: true }));
const session = vi.hoisted(() => ({ status: "signed-in" }));
vi.mock("./session.tsx", () => ({
  SessionProvider: ({ children }: { children: ReactNode }) => children,
  useSession: () => session,
}));
vi.mock("./step-up-dialog.tsx", () => ({
  get StepUpDialog() {
    if (chunk.isGone) throw new TypeError("Failed to fetch dynamically imported module");
    return () => <p>Confirm that it is you</p>;
  },
}));

const publish = vi.fn<() => Promise<string>>();
beforeEach(() => {
  chunk.isGone = true;
  session.status = "signed-in";
  publish.mockReset().mockRejectedValue(new ProductError("step_up_needed"));
});

function Announcement(): ReactNode {
  const { mutate, error, data } = useMutation({ mutationFn: () => repeatAfterStepUp(publish) });
  return (
    <>
      <input aria-label="Text" />
      <button onClick={() => mutate()}>Publish</button>
      <ActionError error={error} />
      <p>{data}</p>
    </>
  );
}

const pages = () => (
  <Routes>
    <Route element={<SessionLayout />}>
      <Route index element={<Announcement />} />
    </Route>
  </Routes>
);
const open = () => show(pages());

// TEXT-2, STEPUP-1
test("what was typed stays when the question cannot be loaded; the next try asks it", async () => {
  const { user } = open();
  await user.type(screen.getByRole("textbox"), "On Monday");
  await user.click(screen.getByRole("button", { name: "Publish" }));
  expect((await screen.findByRole("alert")).textContent).toBe(errors.part_not_loaded.text);
  expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("On Monday");

  chunk.isGone = false;
  await user.click(screen.getByRole("button", { name: "Publish" }));
  expect(await screen.findByText("Confirm that it is you")).toBeDefined();
  publish.mockResolvedValue("Published");
  act(() => settleStepUp(true));
  expect(await screen.findByText("Published")).toBeDefined();
  expect(screen.queryByText("Confirm that it is you")).toBeNull();
});

// STEPUP-1
test("a session that ends in another tab takes the question with it", async () => {
  chunk.isGone = false;
  const { user, rerender } = open();
  await user.click(screen.getByRole("button", { name: "Publish" }));
  expect(await screen.findByText("Confirm that it is you")).toBeDefined();
  session.status = "signed-out";
  rerender(pages());
  expect(await screen.findByRole("alert")).toBeDefined();
  expect(screen.queryByText("Confirm that it is you")).toBeNull();
});
