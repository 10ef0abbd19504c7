// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { useRescuedFocus } from "./rescued-focus.ts";

function List({ heading }: { heading: string | undefined }): ReactNode {
  useRescuedFocus();
  const [rows, setRows] = useState(["Ann", "Bo"]);
  return (
    <main>
      <h1>Page</h1>
      <section aria-label="Users">
        {heading !== undefined && <h2>{heading}</h2>}
        {rows.map((row) => (
          <button key={row} type="button" onClick={() => setRows(rows.filter((other) => other !== row))}>
            {row}
          </button>
        ))}
      </section>
    </main>
  );
}

// KEYS-2
test("moves the focus of a removed row to the heading of its part", async () => {
  const { user } = show(<List heading="Users" />);
  await user.click(screen.getByRole("button", { name: "Ann" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Users" })));
});

test("moves the focus to the part itself where it has no heading", async () => {
  const { user } = show(<List heading={undefined} />);
  await user.click(screen.getByRole("button", { name: "Ann" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Users" })));
});

function Parts({ after }: { after: ReactNode }): ReactNode {
  useRescuedFocus();
  const [isRead, setRead] = useState(false);
  return (
    <main>
      <h1>Page</h1>
      {!isRead && (
        <section aria-label="News">
          <h2>News</h2>
          <button type="button" onClick={() => setRead(true)}>
            Mark as read
          </button>
        </section>
      )}
      {after}
    </main>
  );
}
const lessons = (
  <section aria-label="Lessons">
    <h2>Lessons</h2>
  </section>
);

test.each([
  ["after it", lessons],
  ["in a group after it", <div key="group">{lessons}</div>],
])("moves the focus from a part that is gone to the next one, %s", async (_where, after) => {
  const { user } = show(<Parts after={after} />);
  await user.click(screen.getByRole("button"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Lessons" })));
});

test("moves the focus to the heading of the page after its last part", async () => {
  const { user } = show(<Parts after={undefined} />);
  await user.click(screen.getByRole("button"));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Page" })));
});

test.each([
  ["leaves the page where it is after a click", true],
  ["scrolls to the heading after a key", false],
])("%s", async (_what, preventScroll) => {
  const focus = vi.spyOn(HTMLElement.prototype, "focus");
  const { user } = show(<Parts after={lessons} />);
  const button = screen.getByRole("button");
  if (preventScroll) await user.click(button);
  else {
    button.focus();
    await user.keyboard("{Enter}");
  }
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Lessons" })));
  expect(focus.mock.lastCall).toEqual([{ preventScroll }]);
});
