// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { CaptionsPart } from "./captions-part.tsx";
import { AttachmentsPart } from "./attachments-part.tsx";
import { PosterPart } from "./poster-part.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: {
    videos: { play: vi.fn<() => unknown>() },
    materials: {
      saveCaptions: vi.fn<() => unknown>(),
      removeCaptions: vi.fn<() => unknown>(),
      addAttachment: vi.fn<() => unknown>(),
      removeAttachment: vi.fn<() => unknown>(),
      savePoster: vi.fn<() => unknown>(),
      removePoster: vi.fn<() => unknown>(),
    },
  },
}));
const send = vi.hoisted(() => vi.fn<() => unknown>());
vi.mock("../../../../platform/uploads/use-upload.ts", () => ({ useUpload: () => ({ send, cancel: () => {} }) }));
vi.mock("../../../../entities/session/session.tsx", () => ({
  useMe: () => ({ max_upload_bytes: { "lesson-attachments": 100 } }),
}));
vi.spyOn(console, "error").mockImplementation(() => {});
beforeEach(() => {
  for (const call of Object.values(api.materials)) vi.mocked(call).mockResolvedValue({} as never);
});
afterEach(() => vi.clearAllMocks());

const video = {
  id: "v",
  module: "Psychology",
  source: "upload",
  poster_url: "/poster",
  captions: [{ language: "en", label: "English", url: "/en" }],
  attachments: [{ id: "a", filename: "sizes.csv", size_bytes: 20, content_type: "text/csv" }],
} as unknown as Video;
const params = { id: "v" };

// FILE-13
test("adds captions in the language that the file's name says", async () => {
  const { user } = show(<CaptionsPart video={video} />);
  const file = new File(["WEBVTT"], "lesson.th.vtt");
  await user.upload(screen.getByLabelText("Choose a caption file"), file);
  expect(screen.getByLabelText<HTMLInputElement>("Name of the language").value).toBe("ไทย");
  await user.click(screen.getByRole("button", { name: "Add captions" }));
  expect(api.materials.saveCaptions).toHaveBeenCalledExactlyOnceWith({ params, body: { file, language: "th", label: "ไทย" } });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Add captions" })).toBeNull());
});

test("names the wrong line of captions at the file, and what the fields miss", async () => {
  const text = "Line 6: a cue must end after it starts.";
  vi.mocked(api.materials.saveCaptions).mockRejectedValue(new ProductError("captions_line_end", { text }));
  const { user } = show(<CaptionsPart video={video} />);
  const input = screen.getByLabelText("Choose a caption file");
  await user.upload(input, new File(["WEBVTT"], "lesson.vtt"));
  await user.click(screen.getByRole("button", { name: "Add captions" }));
  expect(screen.getByText("Please enter a language tag such as en, th or pt-BR.")).toBeTruthy();
  expect(api.materials.saveCaptions).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText("Language tag"), "de");
  expect(screen.getByLabelText<HTMLInputElement>("Name of the language").value).toBe("Deutsch");
  await user.click(screen.getByRole("button", { name: "Add captions" }));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.getByLabelText("Choose another").getAttribute("aria-invalid")).toBe("true");
});

test("keeps a language's name that was changed by hand", async () => {
  const { user } = show(<CaptionsPart video={video} />);
  await user.upload(screen.getByLabelText("Choose a caption file"), new File(["WEBVTT"], "lesson.en.vtt"));
  const label = screen.getByLabelText<HTMLInputElement>("Name of the language");
  await user.clear(label);
  await user.type(label, "English (simple)");
  await user.type(screen.getByLabelText("Language tag"), "-GB");
  expect(label.value).toBe("English (simple)");
});

test("removes captions by language", async () => {
  const { user } = show(<CaptionsPart video={video} />);
  await user.click(screen.getByRole("button", { name: "Remove English captions" }));
  expect(api.materials.removeCaptions).toHaveBeenCalledExactlyOnceWith({ params: { id: "v", language: "en" } });
});

// FILE-14
test("uploads a download and attaches it, and refuses others before a byte is sent", async () => {
  send.mockResolvedValue("upload-id");
  const { user } = show(<AttachmentsPart video={video} />);
  const input = screen.getByLabelText("Add a file");
  fireEvent.change(input, { target: { files: [new File(["MZ"], "setup.exe")] } });
  expect((await screen.findByRole("alert")).textContent).toContain("Please choose a PDF");
  fireEvent.change(input, { target: { files: [new File(["x".repeat(100)], "sizes.csv")] } });
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("An attachment must be smaller than 100B"));
  expect(send).not.toHaveBeenCalled();
  const file = new File(["a,b"], "sizes.csv");
  fireEvent.change(input, { target: { files: [file] } });
  await waitFor(() =>
    expect(api.materials.addAttachment).toHaveBeenCalledExactlyOnceWith({ params, body: { upload_id: "upload-id" } }),
  );
  expect(send).toHaveBeenCalledExactlyOnceWith(file);
  expect(screen.queryByRole("alert")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Remove sizes.csv" }));
  expect(api.materials.removeAttachment).toHaveBeenCalledExactlyOnceWith({ params: { id: "v", attachment_id: "a" } });
});

test("attaches an upload again when the reply was lost, and not when it was refused", async () => {
  send.mockResolvedValue("upload-id");
  vi.mocked(api.materials.addAttachment).mockRejectedValueOnce(new ProductError("offline"));
  show(<AttachmentsPart video={video} />);
  const pick = () => fireEvent.change(screen.getByLabelText("Add a file"), { target: { files: [new File(["a,b"], "a.csv")] } });
  pick();
  const wanted = [{ params, body: { upload_id: "upload-id" } }];
  await waitFor(() => expect(vi.mocked(api.materials.addAttachment).mock.calls).toEqual([wanted, wanted]));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Add a file").disabled).toBe(false));
  expect(screen.queryByRole("alert")).toBeNull();
  vi.mocked(api.materials.addAttachment).mockRejectedValueOnce(new ProductError("attachments_full"));
  pick();
  await screen.findByRole("alert");
  expect(api.materials.addAttachment).toHaveBeenCalledTimes(3);
});

test("sends the same upload when a file is chosen again whose reply was lost", async () => {
  send.mockResolvedValue("upload-id");
  const add = vi.mocked(api.materials.addAttachment);
  add.mockRejectedValueOnce(new ProductError("offline")).mockRejectedValueOnce(new ProductError("offline"));
  show(<AttachmentsPart video={video} />);
  const pick = async (): Promise<File> => {
    const file = new File(["a,b"], "a.csv", { lastModified: 1 });
    const calls = send.mock.calls.length;
    fireEvent.change(screen.getByLabelText("Add a file"), { target: { files: [file] } });
    await waitFor(() => expect(send).toHaveBeenCalledTimes(calls + 1));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Add a file").disabled).toBe(false));
    return file;
  };
  const first = await pick();
  expect(screen.getByRole("alert")).toBeDefined();
  await pick();
  expect(screen.queryByRole("alert")).toBeNull();
  const another = await pick();
  expect(send.mock.calls.map(([file]: unknown[]) => [first, another].indexOf(file as File))).toEqual([0, 0, 1]);
});

// FILE-15
test("stores a chosen picture as the poster, refuses a large one, and removes it", async () => {
  const { user } = show(<PosterPart video={video} />);
  const input = screen.getByLabelText("Choose a picture");
  await user.upload(input, new File([new Uint8Array(10 * 1024 ** 2)], "large.png", { type: "image/png" }));
  expect((await screen.findByRole("alert")).textContent).toBe("A picture must be smaller than 10 MB.");
  expect(api.materials.savePoster).not.toHaveBeenCalled();
  const file = new File(["png"], "chart.png", { type: "image/png" });
  await user.upload(input, file);
  expect(api.materials.savePoster).toHaveBeenCalledExactlyOnceWith({ params, body: { file } });
  await user.click(screen.getByRole("button", { name: "Remove poster" }));
  expect(api.materials.removePoster).toHaveBeenCalledExactlyOnceWith({ params });
});

test("says what to do when the browser cannot play the film whose frame is wanted", async () => {
  const link = { url: "https://other.example/storage/film?token=t" };
  vi.mocked(api.videos.play).mockResolvedValue(link as Awaited<ReturnType<typeof api.videos.play>>);
  const { user, container } = show(<PosterPart video={video} />);
  await user.click(screen.getByRole("button", { name: "Choose a frame of the film" }));
  await waitFor(() => expect(container.querySelector("video")?.getAttribute("src")).toBe("/storage/film?token=t&via=site"));
  fireEvent.error(container.querySelector("video")!);
  expect((await screen.findByRole("alert")).textContent).toBe(
    "This browser cannot play the film. Please choose a picture instead.",
  );
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Use this frame" }).disabled).toBe(true);
});

test("takes a dropped file only in the part that it is dropped on", async () => {
  show(
    <>
      <AttachmentsPart video={video} />
      <PosterPart video={video} />
    </>,
  );
  const dataTransfer = { types: ["Files"], files: [new File(["png"], "chart.png", { type: "image/png" })] };
  fireEvent.drop(document.body, { dataTransfer });
  expect(api.materials.savePoster).not.toHaveBeenCalled();
  fireEvent.drop(screen.getByLabelText("Choose a picture"), { dataTransfer });
  await waitFor(() => expect(api.materials.savePoster).toHaveBeenCalledTimes(1));
  expect(send).not.toHaveBeenCalled();
});
