import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from "react";
import { fitted, fittedSize, turned, within, zoomed, zoomStep, type PictureView, type Size } from "./picture-view.ts";

type Point = { x: number; y: number };

const nothing: Size = { width: 0, height: 0 };

interface PictureViewOptions {
  frame: RefObject<HTMLElement | null>;
  picture: Size;
  /** Otherwise the wheel scrolls the page, unless Ctrl is held, as it is by a pinch on a touchpad. */
  wheelZooms: boolean;
}

/** Returns the view of a picture in its frame, what changes it, and the handlers of the frame for mouse, pen and fingers. */
export function usePictureView({ frame, picture, wheelZooms }: PictureViewOptions) {
  const frameSize = useSizeOf(frame);
  const [chosen, setChosen] = useState(fitted);
  const inFrame = (one: PictureView): PictureView => within(one, fittedSize(picture, frameSize, one.turns), frameSize);
  // The frame, or what is known of the picture, may have changed since.
  const view = inFrame(chosen);
  const size = fittedSize(picture, frameSize, view.turns);
  const change = (next: (before: PictureView) => PictureView): void => setChosen((before) => inFrame(next(inFrame(before))));
  const zoom = (factor: number, at?: Point): void => change((before) => zoomed(before, factor, at));
  const move = (x: number, y: number): void => change((before) => ({ ...before, x: before.x + x, y: before.y + y }));

  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!wheelZooms && !event.ctrlKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), fromCentre(event, frame.current));
  });
  useEffect(() => {
    const element = frame.current;
    const listen = (event: WheelEvent): void => onWheel(event);
    // React's own listener is passive and could not keep the page from scrolling.
    element?.addEventListener("wheel", listen, { passive: false });
    return () => element?.removeEventListener("wheel", listen);
  }, [frame]);

  const act = {
    zoomIn: () => zoom(zoomStep),
    zoomOut: () => zoom(1 / zoomStep),
    turn: () => change(turned),
    fit: () => change(() => fitted),
    move,
  };
  return { view, size, act, pointer: usePointers(frame, zoom, move, view.zoom) };
}

/** One pointer moves the picture, two zoom it, a double click does either way. */
function usePointers(
  frame: RefObject<HTMLElement | null>,
  zoom: (factor: number, at: Point) => void,
  move: (x: number, y: number) => void,
  zoomNow: number,
) {
  const pointers = useRef(new Map<number, Point>());
  const lift = ({ pointerId }: PointerEvent): void => void pointers.current.delete(pointerId);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType === "mouse" && event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, fromCentre(event, frame.current));
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = fromCentre(event, frame.current);
      pointers.current.set(event.pointerId, now);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) zoom(distance(now, other) / Math.max(1, distance(before, other)), middle(now, other));
      else move(now.x - before.x, now.y - before.y);
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onDoubleClick: (event: React.MouseEvent) => zoom(zoomNow > 1 ? 0 : 3, fromCentre(event, frame.current)),
  };
}

/** Returns where an event is, in pixels from the centre of the frame. */
function fromCentre({ clientX, clientY }: { clientX: number; clientY: number }, frame: HTMLElement | null): Point {
  if (!frame) return { x: 0, y: 0 };
  const { left, top, width, height } = frame.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);
const middle = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });

function useSizeOf(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(nothing);
  useLayoutEffect(() => {
    const frame = element.current;
    if (!frame) return;
    const look = (): void => setSize({ width: frame.clientWidth, height: frame.clientHeight });
    look();
    const watch = new ResizeObserver(look);
    watch.observe(frame);
    return () => watch.disconnect();
  }, [element]);
  return size;
}
