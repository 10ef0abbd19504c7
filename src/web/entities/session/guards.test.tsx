// @vitest-environment happy-dom
import { act, render, screen } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { createMemoryRouter, createPath, RouterProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import { endSession } from "../../platform/auth-client.ts";
import { MemberGuard, StudentGuard } from "./guards.tsx";
import { SessionContext, useLogout, type SessionState } from "./session.tsx";

vi.mock("../../platform/api.ts", () => ({ api: {} }));
vi.mock("../../platform/auth-client.ts", () => ({ endSession: vi.fn<() => Promise<void>>() }));
vi.mock("../../platform/live/live-updates.tsx", () => ({ LiveUpdates: ({ children }: { children: ReactNode }) => children }));

afterEach(() => vi.useRealTimers());

function Logout(): ReactNode {
  const logout = useLogout();
  return <button onClick={() => void logout()}>Log out</button>;
}

// ACCESS-6, SESSION-5
test("who signs out is led to the landing page, however late it comes", async () => {
  vi.useFakeTimers();
  let load = (): void => {};
  const landing = new Promise<{ Component: () => ReactNode }>((resolve) => {
    load = () => resolve({ Component: () => <p>Landing</p> });
  });
  const routes = [
    { path: "/", lazy: () => landing },
    { path: "/auth", element: <p>Sign in</p> },
    { path: "/student", element: <StudentGuard />, children: [{ index: true, element: <Logout /> }] },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/student"] });
  const me = { role: "student", email_verified: true } as Me;
  function Page(): ReactNode {
    const [session, setSession] = useState<SessionState>({ status: "signed-in", me, asOf: 0 });
    vi.mocked(endSession).mockImplementation(() => Promise.resolve(setSession({ status: "signed-out" })));
    return (
      <SessionContext value={session}>
        <RouterProvider router={router} />
      </SessionContext>
    );
  }
  render(<Page />);
  act(() => screen.getByRole("button").click());
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(endSession).toHaveBeenCalledOnce();
  expect(screen.queryByText("Sign in")).toBeNull();
  await act(async () => load());
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText("Landing")).toBeDefined();
});

// JOURNEY-1
test.each([
  ["/account#mails", "/account#mails"],
  ["/account?a=1#a=b", "/account?a=1"],
])("a visitor of %s is led to sign in for %s", async (address, next) => {
  const routes = [
    { path: "/auth", element: null },
    { path: "/account", element: <MemberGuard /> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  render(
    <SessionContext value={{ status: "signed-out" }}>
      <RouterProvider router={router} />
    </SessionContext>,
  );
  expect(createPath(router.state.location)).toBe(`/auth?next=${encodeURIComponent(next)}`);
});
