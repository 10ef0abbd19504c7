// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { expect, test } from "vitest";
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
