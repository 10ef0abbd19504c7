// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { SubscriptionStatus } from "#domain/packages";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { Toasts } from "../../../ui/toast.tsx";
import { TierMenu } from "./tier-menu.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    users: { setTier: vi.fn<() => unknown>() },
    videos: { list: vi.fn<() => unknown>(() => ({ items: [], next_cursor: null })) },
  },
}));

const menuOf = (tier: SubscriptionStatus) => (
  <TierMenu user={{ id: "nok", email: "nok@example.com", subscription_status: tier }} />
);
const menu = () => screen.findByRole("button", { name: /^Package of nok@example.com/ });

// USER-2
test("a question can be answered before the change before it is done", async () => {
  let answer = (): void => {};
  const changed = { user: { id: "nok", subscription_status: "advanced" } };
  vi.mocked(api.users.setTier).mockReturnValue(new Promise((resolve) => (answer = () => resolve(changed as never))));
  const { user, rerender } = show(menuOf("starter"));
  await user.click(await menu());
  await user.click(await screen.findByRole("menuitem", { name: /^Give Advanced/ }));
  // The list has the new tier before the reply.
  rerender(menuOf("advanced"));
  await user.click(await menu());
  await user.click(await screen.findByRole("menuitem", { name: /^Take away access/ }));
  expect(await screen.findByRole("alertdialog", { name: "Take away access?" })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cancel" })));
  await act(async () => answer());
  expect(screen.getByRole("alertdialog", { name: "Take away access?" })).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Cancel" }));
});

// USER-2
test("a second choice is sent while the first is on its way, the same one is not", async () => {
  vi.mocked(api.users.setTier).mockReturnValue(new Promise(() => {}));
  vi.mocked(api.users.setTier).mockClear();
  const { user } = show(menuOf("unpaid"));
  for (const choice of [/^Give Starter/, /^Give Starter/, /^Give Advanced/]) {
    await user.click(await menu());
    await user.click(await screen.findByRole("menuitem", { name: choice }));
  }
  expect(vi.mocked(api.users.setTier).mock.calls.map(([change]) => change.newRole)).toEqual(["starter", "advanced"]);
});

// USER-2
test("a change can be undone though another was chosen before its reply", async () => {
  let answer = (): void => {};
  const changed = { user: { id: "nok", subscription_status: "advanced" }, change: 7 };
  vi.mocked(api.users.setTier).mockReturnValue(new Promise(() => {}));
  vi.mocked(api.users.setTier).mockReturnValueOnce(new Promise((resolve) => (answer = () => resolve(changed as never))));
  const { user } = show(
    <>
      {menuOf("unpaid")}
      <Toasts />
    </>,
  );
  for (const choice of [/^Give Advanced/, /^Give Starter/]) {
    await user.click(await menu());
    await user.click(await screen.findByRole("menuitem", { name: choice }));
  }
  await act(async () => answer());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  const undoing = { userId: "nok", newRole: "unpaid", expected: "advanced", undoes: 7 };
  expect(vi.mocked(api.users.setTier).mock.lastCall).toEqual([undoing]);
});

// USER-2
test("a confirmed loss is of the tier that its question was about", async () => {
  vi.mocked(api.users.setTier).mockReturnValue(new Promise(() => {}));
  vi.mocked(api.users.setTier).mockClear();
  const { user, rerender } = show(menuOf("advanced"));
  await user.click(await menu());
  await user.click(await screen.findByRole("menuitem", { name: /^Change to Starter/ }));
  await screen.findByRole("alertdialog", { name: "Change to Starter?" });
  // The tier is changed elsewhere.
  rerender(menuOf("unpaid"));
  expect(screen.getByRole("alertdialog", { name: "Change to Starter?" }).textContent).toContain("Locks 0 videos");
  await user.click(screen.getByRole("button", { name: "Change to Starter" }));
  const refused = { userId: "nok", newRole: "starter", expected: "advanced" };
  expect(vi.mocked(api.users.setTier).mock.lastCall).toEqual([refused]);
});

// USER-2
test("says nothing of videos until they are read", async () => {
  let read = (): void => {};
  const page = { items: [{ package_type: "starter" }], next_cursor: null } as never;
  vi.mocked(api.videos.list).mockReturnValueOnce(new Promise((resolve) => (read = () => resolve(page))));
  const { user } = show(menuOf("starter"));
  await user.click(await menu());
  await user.click(await screen.findByRole("menuitem", { name: "Take away access" }));
  const question = await screen.findByRole("alertdialog", { name: "Take away access?" });
  expect(question.textContent).not.toContain("video");
  read();
  await waitFor(() => expect(question.textContent).toContain("Locks 1 video. A film that is playing stops."));
});
