// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { saveFile } from "../../platform/save-file.ts";
import { Attachments } from "./attachments.tsx";
import { Poster } from "./poster.tsx";

vi.mock("../../platform/api.ts", () => ({ api: { materials: { openAttachment: vi.fn<() => unknown>() } } }));
vi.mock("../../platform/save-file.ts", () => ({ saveFile: vi.fn<() => unknown>() }));
vi.spyOn(console, "error").mockImplementation(() => {});
afterEach(() => vi.clearAllMocks());

const attachments = [{ id: "a", filename: "sizes.csv", size_bytes: 2048, content_type: "text/csv" }];
const open = vi.mocked(api.materials.openAttachment);

// FILE-14
test("saves an attachment by a link made for the click", async () => {
  open.mockResolvedValue({ url: "https://site.example/link", expires_at: "" });
  const { user } = show(<Attachments video={{ id: "v", attachments }} />);
  expect(screen.getByRole("listitem").textContent).toContain("sizes.csv2 kB");
  await user.click(screen.getByRole("button", { name: "Download sizes.csv" }));
  expect(open).toHaveBeenCalledExactlyOnceWith({ params: { id: "v", attachment_id: "a" } });
  expect(saveFile).toHaveBeenCalledExactlyOnceWith("https://site.example/link");
});

test("says at the button why an attachment does not open", async () => {
  open.mockRejectedValue(new ProductError("video_locked"));
  const { user } = show(<Attachments video={{ id: "v", attachments }} />);
  await user.click(screen.getByRole("button", { name: "Download sizes.csv" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Your package does not include this video.");
  expect(saveFile).not.toHaveBeenCalled();
});

test("renders nothing for a lesson without attachments", () => {
  expect(show(<Attachments video={{ id: "v", attachments: [] }} />).container.textContent).toBe("");
});

// FILE-15
test("displays the poster, or the module's icon where none loads", () => {
  const { container, rerender } = show(<Poster video={{ poster_url: "/poster", module: "Psychology" }} />);
  fireEvent.error(container.querySelector("img")!);
  expect(container.querySelector("img")).toBeNull();
  expect(container.querySelector("svg")?.getAttribute("data-module")).toBe("Psychology");
  rerender(<Poster video={{ poster_url: "/another", module: "Psychology" }} />);
  expect(container.querySelector("img")?.getAttribute("src")).toBe("/another");
  rerender(<Poster video={{ poster_url: null, module: "Psychology" }} />);
  expect(container.querySelector("img")).toBeNull();
});
