// @vitest-environment happy-dom
import { act, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { endSession, renewOrLoseSession, watchSession } from "../../platform/auth-client.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { SessionProvider, useLogout, useSession } from "./session.tsx";

vi.mock("../../platform/api.ts", () => ({ api: { account: { me: () => new Promise(() => {}) } } }));
vi.mock("../../platform/auth-client.ts", () => ({
  endSession: vi.fn<() => unknown>(),
  isSessionStored: () => true,
  needsSecondFactor: () => false,
  forgetSessionLoss: () => {},
  renewOrLoseSession: vi.fn<() => unknown>(),
  watchSession: vi.fn<() => unknown>(),
}));

afterEach(() => vi.useRealTimers());

type Session = Parameters<Parameters<typeof watchSession>[0]>[0];
let signIn: (accountId: string | undefined) => void;
let failToRenew: () => void;

function Status(): ReactNode {
  const session = useSession();
  return (
    <>
      <p>{session.status}</p>
      {session.status === "unreachable" && <button onClick={session.retry}>{session.error.message}</button>}
    </>
  );
}

async function open(): Promise<() => void> {
  vi.mocked(watchSession).mockImplementation((onSession) => {
    failToRenew = () => onSession(undefined);
    signIn = (id) => onSession(id === undefined ? null : ({ user: { id } } as Session));
    return () => {};
  });
  const { unmount } = show(
    <SessionProvider>
      <Status />
    </SessionProvider>,
  );
  expect(await screen.findByText("loading")).toBeDefined();
  return unmount;
}
const seen = (): unknown => queryClient.getQueryData(["what was read"]);

test("what one account has read is gone for the next", async () => {
  const leave = await open();
  act(() => signIn("malee"));
  queryClient.setQueryData(["what was read"], "of Malee");
  act(() => signIn("malee"));
  expect(seen()).toBe("of Malee");

  leave();
  const leaveAgain = await open();
  act(() => signIn("malee"));
  expect(seen()).toBe("of Malee");
  leaveAgain();
  await open();
  act(() => signIn("nok"));
  expect(seen()).toBeUndefined();

  queryClient.setQueryData(["what was read"], "of Nok");
  act(() => signIn(undefined));
  expect(seen()).toBeUndefined();
});

// SESSION-5
test("a session that could not be renewed is not known yet, and tried again", async () => {
  await open();
  act(() => signIn("malee"));
  queryClient.setQueryData(["what was read"], "of Malee");
  act(failToRenew);
  expect(screen.getByText("unreachable")).toBeDefined();
  expect(seen()).toBe("of Malee");
  act(() => screen.getByRole("button", { name: /Unable to connect to authentication service/ }).click());
  expect(renewOrLoseSession).toHaveBeenCalledOnce();
  act(() => signIn("malee"));
  expect(screen.getByText("loading")).toBeDefined();
  expect(seen()).toBe("of Malee");
});

// SESSION-5
test("a renewal that hangs is said not to get through within a minute, and goes on", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await open();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(screen.getByText("loading")).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(26_000));
  expect(screen.getByText("unreachable")).toBeDefined();
  act(() => signIn("malee"));
  expect(screen.getByText("loading")).toBeDefined();
});

test("a session that is known does not become unreachable by time", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await open();
  act(() => signIn(undefined));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByText("signed-out")).toBeDefined();
});

function Logout(): ReactNode {
  const logout = useLogout();
  return <button onClick={() => void logout()}>Log out</button>;
}

// SESSION-5
test("signing out does not wait long for a landing page that never loads", async () => {
  vi.useFakeTimers();
  const routes = [
    { path: "/", lazy: () => new Promise<never>(() => {}) },
    { path: "/student", element: <Logout /> },
  ];
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ["/student"] })} />);
  act(() => screen.getByRole("button").click());
  await act(() => vi.advanceTimersByTimeAsync(900));
  expect(endSession).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(endSession).toHaveBeenCalledOnce();
});
