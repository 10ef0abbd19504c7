// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { refuseStorage } from "../../../../tests/support/refuse-storage.ts";
import { show } from "../../../../tests/support/render.tsx";
import { useShortcuts, useShortcutsSetting } from "./shortcuts.ts";

const approve = vi.fn<() => void>();
beforeEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  approve.mockReset();
});

function Desk() {
  const [isOn, setOn] = useShortcutsSetting();
  useShortcuts({ a: approve });
  return (
    <>
      <input aria-label="Search" />
      <textarea aria-label="Reason" />
      <select aria-label="Sort">
        <option>newest</option>
      </select>
      <div role="dialog">
        <button type="button">Close</button>
      </div>
      <input type="checkbox" aria-label="Shortcuts" checked={isOn} onChange={() => setOn(!isOn)} />
    </>
  );
}

// REVIEW-2
test("a key runs its action from the page and from a checkbox", async () => {
  const { user } = show(<Desk />);
  await user.keyboard("a");
  screen.getByRole("checkbox").focus();
  await user.keyboard("a");
  expect(approve).toHaveBeenCalledTimes(2);
});

test("a key runs its action on a Thai keyboard, by its character or its place", () => {
  const [search, fit] = [vi.fn<() => void>(), vi.fn<() => void>()];
  function Page() {
    useShortcuts({ a: approve, "/": search, 0: fit });
    return null;
  }
  show(<Page />);
  fireEvent.keyDown(document.body, { key: "ฟ", code: "KeyA" });
  fireEvent.keyDown(document.body, { key: "/", code: "Digit2" });
  fireEvent.keyDown(document.body, { key: "จ", code: "Digit0" });
  expect([approve, search, fit].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
});

test.each(["Search", "Reason", "Sort"])("a key that is typed into the field %s runs nothing", async (name) => {
  const { user } = show(<Desk />);
  screen.getByLabelText(name).focus();
  await user.keyboard("a");
  expect(approve).not.toHaveBeenCalled();
});

test("a key runs nothing in a dialog, with a modifier, or while it is held down", async () => {
  const { user } = show(<Desk />);
  await user.keyboard("{Control>}a{/Control}{Meta>}a{/Meta}{Alt>}a{/Alt}");
  screen.getByRole("button", { name: "Close" }).focus();
  await user.keyboard("a");
  expect(approve).not.toHaveBeenCalled();
  screen.getByRole("checkbox").focus();
  await user.keyboard("{a>3/}");
  expect(approve).toHaveBeenCalledOnce();
});

test("shortcuts that were switched off stay off", async () => {
  const { user, unmount } = show(<Desk />);
  await user.click(screen.getByRole("checkbox"));
  await user.keyboard("a");
  unmount();
  const again = show(<Desk />);
  await again.user.keyboard("a");
  expect(approve).not.toHaveBeenCalled();
  await again.user.click(screen.getByRole("checkbox"));
  await again.user.keyboard("a");
  expect(approve).toHaveBeenCalledOnce();
});

test("shortcuts can be switched off where the browser refuses to store that", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  refuseStorage();
  const { user } = show(<Desk />);
  await user.keyboard("a");
  await user.click(screen.getByRole("checkbox"));
  await user.keyboard("a");
  expect(approve).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("checkbox"));
});
