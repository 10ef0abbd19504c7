// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { errors, type ErrorCode } from "#domain/errors/messages";
import { show } from "../../tests/support/render.tsx";
import { DeadLinkPage } from "./dead-link.tsx";

// FILE-11, DEVICE-1, DEVICE-3.
test.each<ErrorCode>(["playing_elsewhere", "link_other_browser", "video_locked", "account_deleted"])(
  "displays why a link is refused: %s",
  async (code) => {
    const fetch = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ code }, { status: 403 }));
    show(<DeadLinkPage />);
    expect(await screen.findByText(errors[code].text)).toBeDefined();
    expect(fetch.mock.lastCall?.[1]?.headers).toMatchObject({ accept: "application/json" });
  },
);

test("explains the lifetime of links where a refusal has no reason of its own", async () => {
  const fetch = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ code: "link_invalid" }, { status: 403 }));
  show(<DeadLinkPage />);
  await waitFor(() => expect(fetch).toHaveBeenCalled());
  expect(await screen.findByText(/end after a while/)).toBeDefined();
  expect(screen.queryByText(errors.link_invalid.text)).toBeNull();
});
