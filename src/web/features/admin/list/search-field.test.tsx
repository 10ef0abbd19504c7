// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { useShortcutsSetting } from "../../../platform/keyboard/shortcuts.ts";
import { SearchField } from "./search-field.tsx";

beforeEach(() => localStorage.clear());

/** A list whose address follows each search. */
function List({ onSearch }: { onSearch: (text: string) => void }) {
  const [value, setValue] = useState("");
  const search = (text: string): void => {
    onSearch(text);
    setValue(text);
  };
  return <SearchField label="Search" value={value} onSearch={search} />;
}

test("searches once for what was typed in one go", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onSearch = vi.fn<(text: string) => void>();
  show(<List onSearch={onSearch} />);
  for (const value of ["a", "an", "ann"]) fireEvent.change(screen.getByRole("searchbox"), { target: { value } });
  act(() => void vi.advanceTimersByTime(1000));
  expect(onSearch.mock.calls).toEqual([["ann"]]);
});

test("keeps the letters that are typed before the address has caught up", async () => {
  let catchUp = (): void => {};
  function Page() {
    const [value, setValue] = useState("");
    return <SearchField label="Search" value={value} onSearch={(text) => (catchUp = () => setValue(text))} />;
  }
  const { user } = show(<Page />);
  const field = screen.getByRole<HTMLInputElement>("searchbox");
  await user.type(field, "ann{Enter}a");
  expect(field.value).toBe("anna");
  act(() => catchUp());
  expect(field.value).toBe("anna");
});

// LIST-2
test("searches for pasted text with blanks instead of its tabs", async () => {
  const onSearch = vi.fn<(text: string) => void>();
  const { user } = show(<List onSearch={onSearch} />);
  await user.click(screen.getByRole("searchbox"));
  await user.paste("Anna Smith\tanna@example.com");
  await user.keyboard("{Enter}");
  expect(onSearch.mock.calls).toEqual([["Anna Smith anna@example.com"]]);
});

test("searches at once on Enter", async () => {
  const onSearch = vi.fn<(text: string) => void>();
  const { user } = show(<List onSearch={onSearch} />);
  await user.type(screen.getByRole("searchbox"), "a{Enter}");
  expect(onSearch.mock.calls).toEqual([["a"]]);
});

test("follows the address when it changes", () => {
  const onSearch = vi.fn<(text: string) => void>();
  const { rerender } = show(<SearchField label="Search" value="ann" onSearch={onSearch} />);
  rerender(<SearchField label="Search" value="" onSearch={onSearch} />);
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("");
});

test("a slash leads to the search, except in a field or a dialog", async () => {
  const { user } = show(
    <>
      <SearchField label="Search" value="" onSearch={() => {}} />
      <input aria-label="Other" />
      <div role="alertdialog">
        <button>In the dialog</button>
      </div>
      <button>On the page</button>
    </>,
  );
  const search = screen.getByRole("searchbox");
  await user.type(screen.getByRole("textbox", { name: "Other" }), "a/b");
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Other" }).value).toBe("a/b");
  screen.getByRole("button", { name: "In the dialog" }).focus();
  await user.keyboard("/");
  expect(document.activeElement).not.toBe(search);
  screen.getByRole("button", { name: "On the page" }).focus();
  await user.keyboard("/");
  expect(document.activeElement).toBe(search);
  expect((search as HTMLInputElement).value).toBe("");
});

function ShortcutsSwitch() {
  const [isOn, setOn] = useShortcutsSetting();
  return <input type="checkbox" aria-label="Shortcuts" checked={isOn} onChange={() => setOn(!isOn)} />;
}

// REVIEW-2
test("a slash leads nowhere while shortcuts are switched off", async () => {
  const { user } = show(
    <>
      <SearchField label="Search" value="" onSearch={() => {}} />
      <ShortcutsSwitch />
    </>,
  );
  const box = screen.getByRole("checkbox");
  await user.click(box);
  await user.keyboard("/");
  expect(document.activeElement).toBe(box);
  await user.click(box);
  await user.keyboard("/");
  expect(document.activeElement).toBe(screen.getByRole("searchbox"));
});

test("a slash leads to the search of the open tab, not to that of a hidden one", async () => {
  const { user } = show(
    <>
      <div hidden>
        <SearchField label="Search by code" value="" onSearch={() => {}} />
      </div>
      <SearchField label="Search" value="" onSearch={() => {}} />
    </>,
  );
  await user.keyboard("/");
  expect(document.activeElement).toBe(screen.getByRole("searchbox", { name: "Search" }));
});
