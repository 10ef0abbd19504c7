// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { errors, ProductError } from "#domain/errors/messages";
import { showAdmin } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { uploadFile } from "../../../platform/uploads/upload-file.ts";
import { LeaveGuard } from "../editing/leave-guard.tsx";
import { VideosTab } from "./videos-tab.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    statistics: {
      videos: () => Promise.resolve({ videos: [] }),
      notBegun: () => Promise.resolve({ items: [], next_cursor: null }),
    },
    videos: {
      list: vi.fn<() => unknown>(),
      create: vi.fn<() => unknown>(),
      update: vi.fn<() => unknown>(),
      remove: vi.fn<() => unknown>(),
      removeSelected: vi.fn<() => unknown>(),
    },
    materials: { addAttachment: () => Promise.resolve({}) },
  },
}));
vi.mock("../../../platform/uploads/upload-file.ts", () => ({ uploadFile: vi.fn<() => unknown>() }));
vi.mock("../../../entities/session/session.tsx", () => ({
  isLogout: () => false,
  useMe: () => ({ max_upload_bytes: { "course-videos": 5e9, "lesson-attachments": 1e8 } }),
}));

const { list, create, update, remove, removeSelected } = vi.mocked(api.videos);
const video = (id: string): Video =>
  ({
    id,
    title: `Lesson ${id}`,
    description: "About it.",
    module: "Basics",
    module_order: 1,
    order_index: 1,
    package_type: "both",
    source: "url",
    video_url: `https://films.example/${id}`,
    captions: [{ language: "en", label: "English", url: "/en" }],
    attachments: [],
  }) as unknown as Video;
const has = (...ids: string[]) => list.mockResolvedValue({ items: ids.map(video), next_cursor: null });
beforeEach(() => {
  has("a", "b");
  create.mockReset().mockResolvedValue(video("n"));
  update.mockReset().mockResolvedValue(video("a"));
  remove.mockReset().mockResolvedValue({ deleted: true });
  removeSelected.mockReset().mockResolvedValue({ ids: [] });
  vi.mocked(uploadFile).mockReset();
});

const open = async () => {
  const shown = showAdmin(
    <LeaveGuard>
      <VideosTab />
    </LeaveGuard>,
    "/admin?tab=videos",
  );
  await screen.findByRole("heading", { name: "Lesson a" });
  return shown;
};
const button = (name: string): HTMLElement => screen.getByRole("button", { name });
const field = (name: string): HTMLInputElement => screen.getByLabelText<HTMLInputElement>(name, { exact: true });
const question = () => screen.queryByRole("alertdialog", { name: "Leave without saving?" });

// ADMIN-5
test("the pencil of another lesson asks before it replaces what was typed", async () => {
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.type(field("Description"), " More.");
  await user.click(button("Edit Lesson a"));
  expect(question()).toBeNull();
  await user.click(button("Edit Lesson b"));
  expect(question()?.textContent).toContain("The video in the form is not saved.");
  await user.click(within(question()!).getByRole("button", { name: "Cancel" }));
  expect(field("Description").value).toBe("About it. More.");
  await user.click(button("Edit Lesson b"));
  await user.click(button("Discard changes"));
  await waitFor(() => expect(question()).toBeNull());
  expect(field("Title").value).toBe("Lesson b");
  await user.click(button("Edit Lesson a"));
  expect(field("Title").value).toBe("Lesson a");
});

// ADMIN-5
test("leaving while a film is uploaded asks, and ends the upload only then", async () => {
  let signal: AbortSignal | undefined;
  vi.mocked(uploadFile).mockImplementation((_bucket, _file, options) => {
    ({ signal } = options);
    return new Promise(() => {});
  });
  const { user, router } = await open();
  await user.click(button("Edit Lesson a"));
  await user.upload(field("Choose a video file"), new File(["film"], "film.mp4", { type: "video/mp4" }));
  await user.click(button("Save changes"));
  await waitFor(() => expect(uploadFile).toHaveBeenCalledOnce());
  await act(() => router.navigate("/admin?tab=users"));
  await act(() => router.navigate("/admin/users/a"));
  expect(question()?.textContent).toContain("The film is still being uploaded: leaving ends that.");
  expect(signal?.aborted).toBe(false);
  await user.click(button("Discard changes"));
  expect(signal?.aborted).toBe(true);
});

// ADMIN-5
test.each(["Save changes", "Cancel"])("%s asks while a download is uploaded, and goes on once it is there", async (name) => {
  let finish: (id: string) => void = () => {};
  vi.mocked(uploadFile).mockReturnValue(new Promise((resolve) => (finish = resolve)));
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.upload(field("Add a file"), new File(["a,b"], "sizes.csv"));
  await waitFor(() => expect(uploadFile).toHaveBeenCalledOnce());
  await user.click(button(name));
  await waitFor(() => expect(question()?.textContent).toContain("A download is still being uploaded: leaving ends that."));
  expect(question()?.textContent).not.toContain("is not saved");
  act(() => finish("upload"));
  await waitFor(() => expect(question()).toBeNull());
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Edit video" })).toBeNull());
});

// ADMIN-5
test("a lesson's form stays with the error of a download that failed", async () => {
  let fail: (error: Error) => void = () => {};
  vi.mocked(uploadFile).mockReturnValue(new Promise((_resolve, reject) => (fail = reject)));
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.upload(field("Add a file"), new File(["a,b"], "sizes.csv"));
  await waitFor(() => expect(uploadFile).toHaveBeenCalledOnce());
  await user.click(button("Cancel"));
  act(() => fail(new ProductError("insufficient_storage")));
  await waitFor(() => expect(question()?.textContent).toContain("A download may not have been added."));
  expect(screen.getByRole("heading", { name: "Edit video", hidden: true })).toBeDefined();
});

// ADMIN-5
test("a lesson's form is not left for captions that were chosen and not added", async () => {
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.upload(field("Choose a caption file"), new File(["WEBVTT"], "lesson.th.vtt"));
  await user.click(button("Save changes"));
  await waitFor(() => expect(question()?.textContent).toContain("The chosen captions are not added."));
  await user.click(within(question()!).getByRole("button", { name: "Cancel" }));
  expect(button("Add captions")).toBeDefined();
});

/** Leaves a lesson for another one while its save is under way. */
const leaveWhileSaved = async () => {
  let reply = { resolve: (_saved: Video): void => {}, reject: (_error: Error): void => {} };
  update.mockReturnValue(new Promise((resolve, reject) => (reply = { resolve, reject })));
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.type(field("Description"), " More.");
  await user.click(button("Save changes"));
  await waitFor(() => expect(update).toHaveBeenCalledOnce());
  await user.click(button("Edit Lesson b"));
  expect(question()?.textContent).toContain("The video in the form is not saved.");
  return { user, reply };
};

// ADMIN-5
test("leaving a lesson that is being saved asks, and goes on once it is saved", async () => {
  const { reply } = await leaveWhileSaved();
  reply.resolve(video("a"));
  await waitFor(() => expect(question()).toBeNull());
  expect(field("Title").value).toBe("Lesson b");
});

// ADMIN-5, TEXT-2
test("what was typed stays when a save under way is refused", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { user, reply } = await leaveWhileSaved();
  reply.reject(new ProductError("unavailable"));
  expect(await screen.findByText(errors.unavailable.text)).toBeDefined();
  await user.click(within(question()!).getByRole("button", { name: "Cancel" }));
  expect(field("Description").value).toBe("About it. More.");
});

// ADMIN-5
test("saving an edit sends the changed fields alone, and nothing where none is", async () => {
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.type(field("Description"), " More.");
  await user.click(button("Save changes"));
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Edit video" })).toBeNull());
  expect(update).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { description: "About it. More." } });
  await user.click(button("Edit Lesson a"));
  await user.click(button("Save changes"));
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Edit video" })).toBeNull());
  expect(update).toHaveBeenCalledOnce();
});

test("the form of a lesson that is deleted is closed, that of another stays", async () => {
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.click(button("Delete Lesson b"));
  has("a");
  await user.click(button("Delete"));
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Lesson b" })).toBeNull());
  expect(field("Title").value).toBe("Lesson a");
  await user.click(button("Delete Lesson a"));
  has();
  await user.click(button("Delete"));
  await screen.findByText("No videos yet");
  expect(screen.queryByRole("heading", { name: "Edit video" })).toBeNull();
});

test("the form of a lesson that is deleted among others is closed", async () => {
  const { user } = await open();
  await user.click(button("Edit Lesson a"));
  await user.click(screen.getByRole("checkbox", { name: "Select all of Basics" }));
  await user.click(within(screen.getByRole("region", { name: "Selected lessons" })).getByRole("button", { name: "Delete" }));
  has();
  await user.click(within(screen.getByRole("alertdialog")).getByRole("button", { name: "Delete" }));
  await screen.findByText("No videos yet");
  expect(screen.queryByRole("heading", { name: "Edit video" })).toBeNull();
});
