// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { UserDetail } from "#domain/api/users";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { UserPage } from "./page.tsx";
import { useUser } from "./queries.ts";

vi.mock("../../../../platform/api.ts", () => ({ api: {} }));
vi.mock("./queries.ts", () => ({ useUser: vi.fn<() => unknown>(), useUserAudit: () => ({}) }));
vi.mock("../../frame.tsx", () => ({ AdminFrame: ({ children }: { children: unknown }) => children }));
vi.mock("../tier-menu.tsx", () => ({ TierMenu: () => null }));
vi.mock("./notes-panel.tsx", () => ({ NotesPanel: () => <input aria-label="New note" /> }));
vi.mock("./profile-panel.tsx", () => ({ ProfilePanel: () => null }));
vi.mock("./sessions-panel.tsx", () => ({ SessionsPanel: () => null }));

const user = {
  id: "1",
  email: "malee@example.com",
  user_metadata: { full_name: "Malee" },
  requests: [],
  audit: [],
} as unknown as UserDetail;
const readAs = (data: UserDetail | undefined, code?: ErrorCode) =>
  vi.mocked(useUser).mockReturnValue({ data, error: code === undefined ? null : new ProductError(code) } as never);
const note = () => screen.queryByLabelText<HTMLInputElement>("New note");

// USER-4
test("what is typed stays while the student cannot be read again", async () => {
  readAs(user);
  const { user: admin, rerender } = show(<UserPage />);
  await admin.type(note()!, "Half typed");
  readAs(user, "unavailable");
  rerender(<UserPage />);
  expect(note()?.value).toBe("Half typed");
  readAs(user, "user_not_found");
  rerender(<UserPage />);
  expect(note()).toBeNull();
  expect(screen.getByRole("heading", { name: "No student here" })).toBeDefined();
});
