// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import { show } from "../../../../tests/support/render.tsx";
import { SessionContext } from "../../entities/session/session.tsx";
import { accessToken } from "../../platform/auth-client.ts";
import { api } from "../../platform/api.ts";
import { Dashboard } from "./dashboard.tsx";
import { loader } from "./page.tsx";

vi.mock("../../platform/auth-client.ts", async (original) => ({
  ...(await original<object>()),
  accessToken: vi.fn<() => unknown>(),
}));
vi.mock("../../platform/api.ts", () => ({
  api: {
    liveSessions: { occurrences: vi.fn<() => unknown>() },
    news: { list: () => Promise.resolve({ items: [], next_cursor: null }) },
    paymentRequests: { mine: () => Promise.resolve([]) },
    videos: { list: () => Promise.resolve({ items: [video] }) },
  },
}));
const occurrences = vi.mocked(api.liveSessions.occurrences);

const place = { module: "Forex Basics", module_order: null, order_index: 1 };
const video = { id: "a", title: "Lesson a", ...place, playable: true, progress: null, captions: [], attachments: [] };
const me = { full_name: "Ann", subscription_status: "starter" } as Me;

// LIVESESSION-8
test("lessons wait for the live sessions, which would push them down", async () => {
  const nothing = { items: [], next_cursor: null };
  let reply: (value: typeof nothing) => void = () => {};
  occurrences.mockReturnValueOnce(new Promise((resolve) => (reply = resolve))).mockResolvedValue(nothing);
  show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <Dashboard requests={[]} />
    </SessionContext>,
  );
  expect(await screen.findByRole("heading", { name: /Ann/ })).toBeDefined();
  expect(await screen.findByText(/Lesson a/)).toBeDefined();
  expect(screen.queryByRole("heading", { name: "Forex Basics" })).toBeNull();
  reply(nothing);
  expect(await screen.findByRole("heading", { name: "Forex Basics" })).toBeDefined();
});

test("the live sessions are read before it is known who is signed in", async () => {
  vi.mocked(accessToken).mockResolvedValue("token");
  occurrences.mockClear();
  loader();
  await waitFor(() => expect(occurrences).toHaveBeenCalledTimes(2));
  expect(occurrences.mock.calls.map(([input]) => input?.when)).toEqual(["coming", "recorded"]);
});
