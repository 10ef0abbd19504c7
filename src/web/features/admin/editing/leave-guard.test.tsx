// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { showAdmin } from "../../../../../tests/support/render.tsx";
import { isLogout } from "../../../entities/session/session.tsx";
import { LeaveGuard, useUnsaved } from "./leave-guard.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: {} }));
const onDiscard = vi.fn<() => void>();
beforeEach(() => void onDiscard.mockReset());

/** A field of a tab, with unsaved input while it is not empty. */
function Field({ tab, ...rest }: { tab: string; onDiscard?: () => void }): ReactNode {
  const [text, setText] = useState("");
  useUnsaved(text !== "", { tab, text: `The ${tab} are not saved.`, ...rest });
  return (
    <>
      <input aria-label={tab} value={text} onChange={({ target }) => setText(target.value)} />
      <button onClick={() => setText("")}>Save {tab}</button>
    </>
  );
}

const open = (at?: string) =>
  showAdmin(
    <LeaveGuard>
      <Field tab="videos" />
      <Field tab="settings" onDiscard={onDiscard} />
    </LeaveGuard>,
    at,
  );
const question = () => screen.queryByRole("alertdialog", { name: "Leave without saving?" });
const press = (name: string): HTMLElement => screen.getByRole("button", { name });

// ADMIN-5
test.each(["/account", "/", "/admin/users/a", "/admin/payments/a", "/admin/preview?tier=unpaid"])(
  "asks before unsaved input is left for %s, and leaves it only when told to",
  async (address) => {
    const { user, router } = open();
    await user.type(screen.getByLabelText("videos"), "A");
    await act(() => router.navigate(address));
    expect(question()?.textContent).toContain("The videos are not saved.");
    await user.click(press("Cancel"));
    await waitFor(() => expect(question()).toBeNull());
    expect(router.state.location.pathname).toBe("/admin");
    expect(screen.getByLabelText<HTMLInputElement>("videos").value).toBe("A");
    await act(() => router.navigate(address));
    await user.click(press("Discard changes"));
    expect(router.createHref(router.state.location)).toBe(address);
  },
);

test("a form that other tabs keep does not ask there, one that is reset does", async () => {
  const { user, router } = open("/admin?tab=settings");
  await user.type(screen.getByLabelText("videos"), "A");
  await act(() => router.navigate("/admin?tab=users"));
  await act(() => router.navigate("/admin?tab=settings"));
  expect(question()).toBeNull();
  await user.type(screen.getByLabelText("settings"), "B");
  await act(() => router.navigate("/admin?tab=settings#prices"));
  expect(question()).toBeNull();
  await act(() => router.navigate("/admin?tab=users"));
  expect(question()?.textContent).toContain("The settings are not saved.");
  expect(question()?.textContent).not.toContain("videos");
  await user.click(press("Discard changes"));
  expect(onDiscard).toHaveBeenCalledOnce();
  expect(router.state.location.search).toBe("?tab=users");
});

test("names everything that would be lost, and a step back asks too", async () => {
  const { user, router } = open("/account");
  await act(() => router.navigate("/admin?tab=settings"));
  await user.type(screen.getByLabelText("videos"), "A");
  await user.type(screen.getByLabelText("settings"), "B");
  await act(() => router.navigate(-1));
  await waitFor(() => expect(question()?.textContent).toContain("The videos are not saved.The settings are not saved."));
});

test("goes on by itself when all is saved while the question is open", async () => {
  const { user, router } = open();
  await user.type(screen.getByLabelText("videos"), "A");
  await act(() => router.navigate("/account"));
  // As a reply would, behind the dialog.
  act(() => screen.getByText("Save videos").click());
  await waitFor(() => expect(router.state.location.pathname).toBe("/account"));
});

test("a clean form does not ask, nor does a logout", async () => {
  const { user, router } = open();
  await user.type(screen.getByLabelText("videos"), "A{Backspace}");
  await act(() => router.navigate("/account"));
  expect(router.state.location.pathname).toBe("/account");
  await act(() => router.navigate("/admin"));
  await user.type(screen.getByLabelText("videos"), "A");
  await act(() => router.navigate("/", { state: { isLogout: true } }));
  expect(isLogout(router.state.location)).toBe(true);
  expect(router.state.location.pathname).toBe("/");
});

test("the browser asks before the page is closed, only while something is unsaved", async () => {
  const { user } = open();
  const isAsked = (): boolean => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(isAsked()).toBe(false);
  await user.type(screen.getByLabelText("videos"), "A");
  expect(isAsked()).toBe(true);
  await user.type(screen.getByLabelText("videos"), "{Backspace}");
  expect(isAsked()).toBe(false);
});
