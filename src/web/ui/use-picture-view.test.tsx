// @vitest-environment happy-dom
import { act, renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { usePictureView } from "./use-picture-view.ts";

test("a zoomed picture stays in a frame that becomes smaller", () => {
  const frame = document.createElement("div");
  let onResize = (): void => {};
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(listener: () => void) {
        onResize = listener;
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  const resize = (clientWidth: number, clientHeight: number): void =>
    act(() => {
      Object.defineProperties(frame, {
        clientWidth: { value: clientWidth, configurable: true },
        clientHeight: { value: clientHeight, configurable: true },
      });
      onResize();
    });
  const options = { frame: { current: frame }, picture: { width: 1000, height: 1000 }, wheelZooms: true };
  const { result } = renderHook(() => usePictureView(options));
  onTestFinished(() => void vi.unstubAllGlobals());
  resize(800, 800);
  act(() => result.current.act.zoomIn());
  act(() => result.current.act.move(500, 500));
  expect(result.current.view).toMatchObject({ zoom: 1.5, x: 200, y: 200 });

  resize(800, 400);
  expect(result.current.view).toMatchObject({ x: 0, y: 100 });
  act(() => result.current.act.move(0, -10));
  expect(result.current.view).toMatchObject({ x: 0, y: 90 });
});
