export interface Size {
  width: number;
  height: number;
}

/** Where a picture is in its frame. */
export interface PictureView {
  /** 1 fits the whole picture in. */
  zoom: number;
  /** From the centre of the frame to that of the picture, in pixels. */
  x: number;
  y: number;
  /** Clockwise quarter turns. */
  turns: number;
}

export const fitted: PictureView = { zoom: 1, x: 0, y: 0, turns: 0 };
export const zoomStep = 1.5;
const maxZoom = 12;
/** A small picture is enlarged to fill its frame, up to this. */
const maxEnlarged = 3;

/** Returns the size in pixels of a picture that fits in its frame at zoom 1, before it is turned. */
export function fittedSize(picture: Size, frame: Size, turns: number): Size {
  const [width, height] = isSideways(turns) ? [picture.height, picture.width] : [picture.width, picture.height];
  const scale = Math.min(frame.width / width, frame.height / height, maxEnlarged);
  return { width: picture.width * scale, height: picture.height * scale };
}

/** Returns the view with another zoom, by which the point `at` (from the frame's centre) stays where it is. */
export function zoomed(view: PictureView, factor: number, at = { x: 0, y: 0 }): PictureView {
  const zoom = Math.min(maxZoom, Math.max(1, view.zoom * factor));
  const ratio = zoom / view.zoom;
  return { ...view, zoom, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** Returns the view with the picture turned clockwise by a quarter, and fitted. */
export function turned({ turns }: PictureView): PictureView {
  return { ...fitted, turns: (turns + 1) % 4 };
}

/** Returns the view moved back where an edge of the picture would have left that of the frame. `size` is the fitted one. */
export function within(view: PictureView, size: Size, frame: Size): PictureView {
  const [width, height] = isSideways(view.turns) ? [size.height, size.width] : [size.width, size.height];
  return {
    ...view,
    x: clamped(view.x, (width * view.zoom - frame.width) / 2),
    y: clamped(view.y, (height * view.zoom - frame.height) / 2),
  };
}

const isSideways = (turns: number): boolean => turns % 2 === 1;

function clamped(value: number, most: number): number {
  return most <= 0 ? 0 : Math.min(most, Math.max(-most, value));
}
