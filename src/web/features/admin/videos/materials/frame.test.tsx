// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../../../../../../tests/support/render.tsx";
import { frameOf, isBlack, isShowingBlack } from "./frame.ts";
import { PickedFilm } from "./picked-film.tsx";

vi.mock("./frame.ts", async (original) => ({
  ...(await original<typeof import("./frame.ts")>()),
  frameOf: vi.fn<() => unknown>(),
  isShowingBlack: vi.fn<() => unknown>(),
}));
afterEach(() => vi.clearAllMocks());

const frame = new File(["jpeg"], "frame.jpg");
const file = new File(["film"], "lesson.mp4", { type: "video/mp4" });
const film = (container: HTMLElement): HTMLVideoElement => container.querySelector("video")!;
const measure = (element: HTMLVideoElement, width: number, seconds: number): void => {
  Object.defineProperties(element, { videoWidth: { value: width }, duration: { value: seconds } });
  fireEvent.loadedMetadata(element);
};

// VIDEO-8
test("skips black frames from a tenth of the film on, and takes the picked moment", async () => {
  vi.mocked(isShowingBlack).mockReturnValueOnce(true).mockReturnValue(false);
  vi.mocked(frameOf).mockResolvedValue(frame);
  const onFrame = vi.fn<(frame: File | undefined) => void>();
  const { container } = show(<PickedFilm file={file} disabled={false} onFrame={onFrame} />);
  measure(film(container), 1920, 200);
  expect(film(container).currentTime).toBe(20);
  fireEvent.seeked(film(container));
  await waitFor(() => expect(film(container).currentTime).toBe(30));
  expect(onFrame).not.toHaveBeenCalledWith(frame);
  fireEvent.seeked(film(container));
  await waitFor(() => expect(onFrame).toHaveBeenLastCalledWith(frame));
  vi.mocked(isShowingBlack).mockReturnValue(true);
  fireEvent.change(screen.getByLabelText(/^Moment of the film/), { target: { value: "5" } });
  expect([film(container).currentTime, onFrame.mock.lastCall]).toEqual([5, [undefined]]);
  fireEvent.seeked(film(container));
  await waitFor(() => expect(onFrame).toHaveBeenLastCalledWith(frame));
});

// VIDEO-8
test("names the picked moment as the player does, past an hour too", () => {
  const { container } = show(<PickedFilm file={file} disabled={false} onFrame={() => {}} />);
  measure(film(container), 1920, 7200);
  const slider = screen.getByRole("slider");
  fireEvent.change(slider, { target: { value: "3852" } });
  expect(screen.getByText("1:04:12")).toBeDefined();
  expect(slider.getAttribute("aria-valuetext")).toBe("1 hour 4 minutes 12 seconds");
});

test.each([
  ["plays without a picture", (element: HTMLVideoElement) => measure(element, 0, 60)],
  ["cannot read", (element: HTMLVideoElement) => fireEvent.error(element)],
])("warns of a film that the browser %s, whether or not it needs a poster", async (_what, happens) => {
  for (const onFrame of [vi.fn<(frame: File | undefined) => void>(), undefined]) {
    const { container, unmount } = show(<PickedFilm file={file} disabled={false} onFrame={onFrame} />);
    happens(film(container));
    expect(await screen.findByText(/Export it as H.264 with AAC audio in an MP4/)).toBeTruthy();
    unmount();
  }
});

test("counts a frame as black unless something in it is bright", () => {
  const pixels = (...colors: number[][]): Uint8ClampedArray => new Uint8ClampedArray(colors.flat());
  expect(isBlack(pixels([0, 0, 0, 255], [39, 39, 39, 255]))).toBe(true);
  expect(isBlack(pixels([12, 17, 30, 255], [0, 0, 255, 255]))).toBe(true);
  expect(isBlack(pixels([12, 17, 30, 255], [12, 60, 30, 255]))).toBe(false);
});
