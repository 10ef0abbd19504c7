// @vitest-environment happy-dom
import { MemoryRouter } from "react-router";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors, type ErrorCode } from "#domain/errors/messages";
import { UndoPage } from "./page.tsx";

const asked = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal("fetch", asked));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.mockReset();
});

const change = { field: "bitcoin_address", label: "Bitcoin address", before: "thief", after: "owner" };
const preview = {
  changed_at: "2026-11-22T10:00:00.000Z",
  undo_until: "2026-11-25T10:00:00.000Z",
  restores: [change],
  stays: [],
};
const replies = (status: number, body: object) => asked.mockImplementation(async () => Response.json(body, { status }));
let opened = 0;
function open(token = `token-${(opened += 1)}`): string {
  render(
    <MemoryRouter initialEntries={[`/undo#${token}`]}>
      <UndoPage />
    </MemoryRouter>,
  );
  return token;
}

// GUARD-2
test("opening an undo link only asks what it restores, its button undoes", async () => {
  replies(200, preview);
  const token = open();
  expect(await screen.findByText("Bitcoin address")).toBeDefined();
  expect(asked.mock.calls.map(([path]) => path)).toEqual(["/api/undo/preview"]);

  replies(200, { restored: [change] });
  await userEvent.setup().click(screen.getByRole("button", { name: "Undo this change" }));
  expect(asked).toHaveBeenLastCalledWith(
    "/api/undo",
    expect.objectContaining({ method: "POST", body: JSON.stringify({ token }) }),
  );
  expect(await screen.findByRole("heading", { name: "The change is undone" })).toBeDefined();
  expect(screen.getByRole("status").textContent).toContain("choose a new password");
});

// TEXT-3
test("an undo link separates the thousands of prices", async () => {
  const price = { field: "bitcoin_price_usd", label: "Bitcoin price (USD)", before: "60000.5", after: "45000" };
  replies(200, { ...preview, restores: [price] });
  open();
  expect((await screen.findByText("Bitcoin price (USD)")).parentElement!.textContent).toBe(
    "Bitcoin price (USD): 45,000instead of 60,000.5",
  );
});

test.each<ErrorCode>(["undo_link_invalid", "undo_link_expired", "undo_link_used", "undo_nothing_left"])(
  "an undo link that does nothing says why: %s",
  async (code) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    replies(409, { code, error: errors[code].text });
    open();
    expect(await screen.findByText(errors[code].text)).toBeDefined();
    expect(screen.getByRole("heading", { name: "Nothing to undo by this link" })).toBeDefined();
    expect(screen.queryByRole("button", { name: /^(Undo this change|Try again)$/ })).toBeNull();
  },
);

test.each<[ErrorCode, number]>([
  ["unavailable", 503],
  ["too_many_requests", 429],
  ["request_timed_out", 408],
])("an undo link that could not be checked is tried again: %s", async (code, status) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  replies(status, { code, error: errors[code].text });
  open();
  expect(await screen.findByText(errors[code].text)).toBeDefined();
  const heading = screen.getByRole("heading", { name: "The link could not be checked" });
  const again = screen.getByRole("button", { name: "Try again" });
  let reply = (_reply: Response): void => {};
  asked.mockImplementationOnce(() => new Promise((resolve) => (reply = resolve)));
  await userEvent.setup().click(again);
  await waitFor(() => expect(again).toHaveProperty("disabled", true));
  expect(screen.getByRole("heading")).toBe(heading);
  reply(Response.json(preview));
  expect(await screen.findByRole("button", { name: "Undo this change" })).toBeDefined();
});

test("an undo link names the settings that stay as they are", async () => {
  replies(200, { ...preview, stays: ["Bitcoin price (USD)"] });
  open();
  expect(await screen.findByText(/left as it is: Bitcoin price \(USD\)/)).toBeDefined();
});
