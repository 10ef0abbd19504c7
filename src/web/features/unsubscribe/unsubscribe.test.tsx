// @vitest-environment happy-dom
import { MemoryRouter } from "react-router";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errors } from "#domain/errors/messages";
import { UnsubscribePage } from "./page.tsx";

const asked = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal("fetch", asked));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  asked.mockReset();
});

function open(token: string): void {
  render(
    <MemoryRouter initialEntries={[`/unsubscribe?token=${token}`]}>
      <UnsubscribePage />
    </MemoryRouter>,
  );
}
const press = () => userEvent.setup().click(screen.getByRole("button", { name: "Unsubscribe" }));
const reply = (status: number, body: object) => asked.mockResolvedValue(Response.json(body, { status }));

// MAIL-9
test("opening the page to unsubscribe asks the server nothing, its button does", async () => {
  reply(200, { unsubscribed: true });
  open("news.id.proof");
  expect(screen.getByText(/“News about the course” will no longer be mailed/)).toBeDefined();
  expect(asked).not.toHaveBeenCalled();
  await press();
  expect(asked).toHaveBeenCalledExactlyOnceWith("/unsubscribe?token=news.id.proof", { method: "POST" });
  expect(await screen.findByRole("heading", { name: "You are unsubscribed" })).toBeDefined();
});

test.each([
  ["a forged link", 400, { code: "unsubscribe_link_invalid" }, errors.unsubscribe_link_invalid.text],
  ["a proxy's error", 502, {}, errors.unexpected.text],
])("the page to unsubscribe says what is wrong with %s", async (_what, status, body, text) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  reply(status, body);
  open("news.id.proof");
  await press();
  expect((await screen.findByRole("alert")).textContent).toBe(text);
  expect(screen.getByRole("button", { name: "Unsubscribe" })).toBeDefined();
});

test.each(["", "news", "code.id.proof"])("a link without a kind of mail is not complete: %s", (token) => {
  open(token);
  expect(screen.getByRole("heading", { name: "This link is not complete" })).toBeDefined();
  expect(screen.queryByRole("button", { name: "Unsubscribe" })).toBeNull();
});
