// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { afterAll, expect, test, vi } from "vitest";
import type { Stats } from "#domain/api/overview";
import type { ListedUser } from "#domain/api/users";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { Sharing } from "./sharing.tsx";
import { UsersTab } from "./users-tab.tsx";

// So far east that noon in UTC is the day after; before the formats are made.
vi.hoisted(() => vi.stubEnv("TZ", "Pacific/Auckland"));
afterAll(() => void vi.unstubAllEnvs());

vi.mock("../../../platform/api.ts", () => ({
  api: {
    users: { search: vi.fn<() => unknown>(), removeSecondFactor: vi.fn<() => unknown>() },
    playback: { sharing: vi.fn<() => unknown>() },
    videos: { list: vi.fn<() => unknown>() },
    overview: { stats: vi.fn<() => unknown>() },
  },
}));
vi.mock("../../../platform/auth-client.ts", () => ({ accessToken: () => Promise.resolve("token") }));
vi.mocked(api.playback.sharing).mockResolvedValue({ items: [], next_cursor: null });
vi.mocked(api.videos.list).mockResolvedValue({ items: [], next_cursor: null });
vi.mocked(api.overview.stats).mockResolvedValue({ students: { unpaid: 1200, starter: 0, advanced: 3 } } as Stats);
const removeSecondFactor = vi.mocked(api.users.removeSecondFactor);

const user = (id: string, second_factor: boolean): ListedUser => ({
  id,
  email: `${id}@example.com`,
  user_metadata: { full_name: id },
  subscription_status: "unpaid",
  email_verified: true,
  second_factor,
  created_at: "2026-11-20T09:30:00.000Z",
  last_sign_in_at: null,
});
vi.mocked(api.users.search).mockResolvedValue({ items: [user("malee", true), user("nok", false)], next_cursor: null });

test("turns off a student's two-step sign-in once it is confirmed", async () => {
  removeSecondFactor.mockRejectedValueOnce(new ProductError("second_factor_not_found")).mockResolvedValue({ removed: true });
  const { user: person } = show(<UsersTab />);
  const turnOff = await screen.findByRole("button", { name: "Turn off two-step sign-in of malee@example.com" });
  expect(screen.queryByRole("button", { name: "Turn off two-step sign-in of nok@example.com" })).toBeNull();
  await person.click(turnOff);
  const dialog = await screen.findByRole("alertdialog", { name: "Turn off two-step sign-in" });
  expect(dialog.textContent).toContain("malee@example.com");
  expect(removeSecondFactor).not.toHaveBeenCalled();
  await person.click(screen.getByRole("button", { name: "Turn off" }));
  expect(await screen.findByText(errors.second_factor_not_found.text)).toBeDefined();
  await person.click(screen.getByRole("button", { name: "Turn off" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(removeSecondFactor.mock.lastCall).toEqual([{ query: { userId: "malee" } }]);
});

test("the filter by package says how many students have each", async () => {
  show(<UsersTab />);
  for (const name of ["All", "Unpaid 1,200", "Starter 0", "Advanced 3"])
    expect(await screen.findByRole("radio", { name })).toBeDefined();
});

// DEVICE-5.
test("lists students whose playing looks shared, and marks what is unusual", async () => {
  const { rerender } = show(<UsersTab />);
  await screen.findByRole("table", { name: "Students, newest first" });
  expect(screen.queryByRole("heading", { name: "Unusual sharing" })).toBeNull();

  const account = { user_id: "malee", email: "malee@example.com", full_name: "Malee", networks: 12, displaced: 0 };
  const shared = { ...account, devices: 9, signs: ["devices" as const], last_played_on: "2026-11-20" };
  vi.mocked(api.playback.sharing).mockResolvedValue({ items: [shared], next_cursor: null });
  queryClient.clear();
  rerender(<Sharing />);
  const region = await screen.findByRole("region", { name: "Unusual sharing" });
  const cells = within(region).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent)).toEqual([
    "Networks12",
    "Devices9 (unusual)",
    "Takeovers0",
    "Last played20 Nov 2026",
  ]);
});

test("reports that the list of unusual sharing could not be loaded, and tries again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.mocked(api.playback.sharing).mockRejectedValueOnce(new ProductError("not_allowed"));
  const { user: person } = show(<Sharing />);
  await person.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByText("The list of unusual sharing could not be loaded")).toBeNull());
});
