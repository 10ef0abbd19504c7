// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { errors, ProductError } from "#domain/errors/messages";
import { showAdmin } from "../../../../../tests/support/render.tsx";
import { useVideos, videosOptions } from "../../../entities/video/queries.ts";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { uploadFile } from "../../../platform/uploads/upload-file.ts";
import { VideoForm } from "./video-form.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    videos: { list: vi.fn<() => unknown>(), create: vi.fn<() => unknown>(), update: vi.fn<() => unknown>() },
    materials: { savePoster: vi.fn<() => unknown>() },
  },
}));
vi.mock("../../../platform/uploads/upload-file.ts", () => ({ uploadFile: vi.fn<() => unknown>() }));
vi.mock("../../../entities/session/session.tsx", () => ({ useMe: () => ({ max_upload_bytes: { "course-videos": 5e9 } }) }));
vi.mock("./materials/lesson-materials.tsx", () => ({ LessonMaterials: () => null }));
const frame = new File(["frame"], "frame.webp");
vi.mock("./materials/picked-film.tsx", () => ({
  PickedFilm: ({ onFrame }: { onFrame?: (frame: File) => void }) =>
    onFrame ? (
      <button type="button" onClick={() => onFrame(frame)}>
        Take a frame
      </button>
    ) : (
      <p>It has a poster</p>
    ),
}));

const { list, create, update } = vi.mocked(api.videos);
const savePoster = vi.mocked(api.materials.savePoster);
const stored = (poster_url: string | null): Video =>
  ({
    id: "a",
    title: "Candles",
    description: "About it.",
    module: "Basics",
    order_index: 1,
    package_type: "both",
    source: "upload",
    poster_url,
  }) as Video;
const has = (...items: Video[]) => list.mockResolvedValue({ items, next_cursor: null });
const onClose = vi.fn<() => void>();
beforeEach(() => {
  queryClient.clear();
  has();
  create.mockReset().mockResolvedValue(stored(null));
  update.mockReset().mockResolvedValue(stored(null));
  savePoster.mockReset().mockResolvedValue(stored("/poster"));
  vi.mocked(uploadFile).mockReset().mockResolvedValue("upload");
  onClose.mockReset();
});

const Opened = ({ video }: { video: Video | undefined }) => (
  <VideoForm video={video} videos={useVideos().data ?? []} onMade={() => {}} onClose={onClose} />
);
const press = (name: string): void => act(() => screen.getByRole("button", { name }).click());
const film = new File(["film"], "film.mp4", { type: "video/mp4" });

/** Fills the form of a new lesson. */
async function fill(user: UserEvent): Promise<void> {
  await user.type(screen.getByLabelText("Title"), "Candles");
  await user.type(screen.getByLabelText("Description"), "About it.");
  await user.type(screen.getByLabelText("Module"), "Basics");
  await user.selectOptions(screen.getByLabelText("Package"), "both");
  await user.type(screen.getByLabelText("Video URL"), "https://films.example/1");
}

/** Opens the form of a lesson without a poster, and chooses a film. */
async function chooseFilm(): Promise<void> {
  has(stored(null));
  const { user } = showAdmin(<Opened video={stored(null)} />);
  await waitFor(() => expect(queryClient.getQueryData(videosOptions.queryKey)).toHaveLength(1));
  await user.upload(screen.getByLabelText("Choose another video file"), film);
}

/** Chooses a frame of it too. */
async function pickFilm(): Promise<void> {
  await chooseFilm();
  press("Take a frame");
}
const pickPoster = async (): Promise<void> => {
  has(stored("/poster"));
  await act(() => queryClient.invalidateQueries({ queryKey: videosOptions.queryKey }));
};

/** Has the upload wait; returns what ends it. */
function holdUpload(): (id: string) => void {
  let finish: (id: string) => void = () => {};
  vi.mocked(uploadFile).mockReturnValue(new Promise((resolve) => (finish = resolve)));
  return (id) => finish(id);
}

// VIDEO-9
test("a lesson whose reply was lost is added once and gets what was changed since", async () => {
  create.mockRejectedValueOnce(new ProductError("offline")).mockRejectedValueOnce(new ProductError("idempotency_key_reused"));
  const { user } = showAdmin(<Opened video={undefined} />);
  await fill(user);
  press("Save video");
  await screen.findByText(/no connection/);
  await user.type(screen.getByLabelText("Title"), "!");
  press("Save video");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const [first, second, third] = create.mock.calls;
  expect(first?.[0].body).toMatchObject({ title: "Candles", video_url: "https://films.example/1" });
  expect(first?.[0].headers["idempotency-key"]).toEqual(expect.any(String));
  expect(second?.[0]).toEqual({ ...first![0], body: { ...first![0].body, title: "Candles!" } });
  expect(third).toEqual(first);
  expect(update).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { title: "Candles!" } });
});

test("a lesson that was refused is added as it was changed since", async () => {
  create.mockRejectedValueOnce(new ProductError("not_allowed"));
  const { user } = showAdmin(<Opened video={undefined} />);
  await fill(user);
  press("Save video");
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save video" }).disabled).toBe(false));
  await user.type(screen.getByLabelText("Title"), "!");
  press("Save video");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(create.mock.calls.map(([{ body }]) => body.title)).toEqual(["Candles", "Candles!"]);
  expect(update).not.toHaveBeenCalled();
});

test("a film whose upload is gone is sent again by the next save", async () => {
  update.mockRejectedValueOnce(new ProductError("upload_not_found"));
  vi.mocked(uploadFile).mockResolvedValueOnce("gone");
  await pickFilm();
  press("Save changes");
  await screen.findByRole("alert");
  press("Save changes");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(update.mock.calls.map(([{ body }]) => body.upload_id)).toEqual(["gone", "upload"]);
});

test("keeps what is typed during the upload of a film, for another save of its lesson", async () => {
  const finish = holdUpload();
  const { user } = showAdmin(<Opened video={undefined} />);
  await fill(user);
  await user.clear(screen.getByLabelText("Video URL"));
  await user.upload(screen.getByLabelText("Choose a video file"), film);
  press("Save video");
  await user.type(screen.getByLabelText("Description"), " More.");
  has({ ...stored(null), film_filename: film.name });
  act(() => finish("upload"));
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save video" }).disabled).toBe(false));
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.queryByText("Is this the same lesson twice?")).toBeNull();
  press("Save video");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(create).toHaveBeenCalledOnce();
  expect(update).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { description: "About it. More." } });
});

// KEYS-5
test("the field of a film that is missing or refused is marked and gets the focus", async () => {
  const { user } = showAdmin(<Opened video={undefined} />);
  await fill(user);
  await user.clear(screen.getByLabelText("Video URL"));
  press("Save video");
  await screen.findByText(errors.video_source_missing.text);
  const field = screen.getByLabelText("Choose a video file");
  expect([field.getAttribute("aria-invalid"), document.activeElement]).toEqual(["true", field]);

  vi.mocked(uploadFile).mockRejectedValueOnce(new ProductError("video_type_invalid"));
  await user.upload(field, film);
  expect(field.getAttribute("aria-invalid")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Save video" }));
  await screen.findByText(errors.video_type_invalid.text);
  expect([field.getAttribute("aria-invalid"), document.activeElement]).toEqual(["true", field]);
});

// VIDEO-8
test("a frame becomes the poster of a lesson that has none", async () => {
  await pickFilm();
  press("Save changes");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(savePoster).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { file: frame } });
});

test("a frame that is found during the upload becomes the poster", async () => {
  const finish = holdUpload();
  await chooseFilm();
  press("Save changes");
  await waitFor(() => expect(uploadFile).toHaveBeenCalled());
  press("Take a frame");
  act(() => finish("upload"));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(savePoster).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { file: frame } });
});

test("a poster that was picked while the form is open is not replaced by a frame", async () => {
  await pickFilm();
  await pickPoster();
  expect(await screen.findByText("It has a poster")).toBeDefined();
  press("Save changes");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(savePoster).not.toHaveBeenCalled();
});

test("a poster that was picked during the upload is not replaced by a frame", async () => {
  const finish = holdUpload();
  await pickFilm();
  press("Save changes");
  await waitFor(() => expect(uploadFile).toHaveBeenCalled());
  await pickPoster();
  act(() => finish("upload"));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(savePoster).not.toHaveBeenCalled();
});
