// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { StudentNotBegun } from "#domain/api/statistics";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { NotBegun } from "./not-begun.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { statistics: { notBegun: vi.fn<() => unknown>() } } }));
const notBegun = vi.mocked(api.statistics.notBegun);
beforeEach(() => void notBegun.mockReset());

const student = (id: string, days_since_approval: number): StudentNotBegun => ({
  id,
  email: `${id}@example.com`,
  full_name: id,
  subscription_status: "starter",
  approved_at: "2026-11-01T08:00:00.000Z",
  days_since_approval,
});

// PATH-6
test("lists who has not begun, with an address to write to, page after page", async () => {
  notBegun
    .mockResolvedValueOnce({ items: [student("malee", 8)], next_cursor: "more" })
    .mockResolvedValueOnce({ items: [student("nok", 21)], next_cursor: null });
  const { user } = show(<NotBegun />);
  const link = await screen.findByRole("link", { name: "malee@example.com" });
  expect(link.getAttribute("href")).toBe("mailto:malee@example.com");
  await user.click(screen.getByRole("button", { name: "Show more" }));
  expect((await screen.findByRole("row", { name: /nok@example.com/ })).textContent).toContain("21");
  expect(notBegun.mock.lastCall).toEqual([{ cursor: "more" }]);
  expect(screen.queryByRole("button")).toBeNull();
});

test("writes to the student's own address, whatever signs it contains", async () => {
  const email = "ann?bcc=boss&jo%41nne#1@example.com";
  notBegun.mockResolvedValue({ items: [{ ...student("ann", 8), email }], next_cursor: null });
  show(<NotBegun />);
  const link = await screen.findByRole("link", { name: email });
  expect(link.getAttribute("href")).toBe("mailto:ann%3Fbcc%3Dboss%26jo%2541nne%231@example.com");
});

test("says nothing of students who were approved later than a week ago", async () => {
  notBegun.mockResolvedValue({ items: [], next_cursor: null });
  show(<NotBegun />);
  expect(await screen.findByText("No such student at the moment.")).toBeDefined();
});
