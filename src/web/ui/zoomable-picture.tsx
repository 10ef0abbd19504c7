import { RotateCw, Scan, ZoomIn, ZoomOut } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { latinKey } from "../platform/keyboard/latin-key.ts";
import { useShortcuts } from "../platform/keyboard/shortcuts.ts";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import type { Size } from "./picture-view.ts";
import { usePictureView } from "./use-picture-view.ts";

interface ZoomablePictureProps {
  src: string;
  alt: string;
  /** What the browser has measured already, so that the picture is in its place at once. */
  size?: Size;
  /** Fills a dialog: the wheel zooms, and the keys work from within alone. Otherwise they work anywhere on the page. */
  isFull?: boolean;
  /** Beside the buttons. */
  children?: ReactNode;
  onLoad?: () => void;
  onError?: () => void;
}

/** Pixels for an arrow key. */
const step = 60;

/** A picture that can be zoomed, moved and turned by mouse, fingers and keys: `+`, `-`, `0` and `R`, and the arrows while it is focused. */
export function ZoomablePicture(props: ZoomablePictureProps): ReactNode {
  const { src, alt, size: known, isFull = false, children, onLoad, onError } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<Size>();
  const picture = loaded ?? known ?? { width: 1, height: 1 };
  const { view, size, act, pointer } = usePictureView({ frame, picture, wheelZooms: isFull });
  const actions = { "+": act.zoomIn, "=": act.zoomIn, "-": act.zoomOut, "0": act.fit, R: act.turn };
  useShortcuts(isFull ? {} : actions);
  const arrows = {
    ArrowLeft: () => act.move(step, 0),
    ArrowRight: () => act.move(-step, 0),
    ArrowUp: () => act.move(0, step),
    ArrowDown: () => act.move(0, -step),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys: Record<string, (() => void) | undefined> = { ...actions, ...(view.zoom > 1 && arrows) };
    const run = keys[event.key] ?? keys[latinKey(event)];
    if (!run) return;
    event.preventDefault();
    run();
  };
  return (
    <div
      className={cx("flex min-h-0 flex-col gap-2", isFull && "grow")}
      role="group"
      aria-label={`View of ${alt}`}
      onKeyDown={onKeyDown}
    >
      <div
        ref={frame}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys move the picture while it is focused
        tabIndex={0}
        data-initial-focus
        role="group"
        aria-label="Picture: + and - zoom, the arrow keys move it"
        {...pointer}
        className={cx(
          "relative overflow-hidden rounded-control border border-line bg-raised select-none",
          isFull ? "min-h-0 grow" : "h-[60vh] min-h-72 lg:h-[68vh]",
          view.zoom > 1 ? "cursor-grab touch-none active:cursor-grabbing" : "touch-pan-y",
        )}
      >
        <img
          src={src}
          alt={alt}
          draggable={false}
          onLoad={({ currentTarget }) => {
            setLoaded({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
            onLoad?.();
          }}
          onError={onError}
          className="absolute top-1/2 left-1/2 max-w-none"
          style={{
            width: size.width,
            height: size.height,
            transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turns * 90}deg) scale(${view.zoom})`,
          }}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-1">
        <IconButton label="Zoom in" aria-keyshortcuts="+" onClick={act.zoomIn}>
          <ZoomIn aria-hidden className="size-4.5" />
        </IconButton>
        <IconButton label="Zoom out" aria-keyshortcuts="-" onClick={act.zoomOut}>
          <ZoomOut aria-hidden className="size-4.5" />
        </IconButton>
        <IconButton label="Rotate" aria-keyshortcuts="Shift+R" onClick={act.turn}>
          <RotateCw aria-hidden className="size-4.5" />
        </IconButton>
        <IconButton label="Fit" aria-keyshortcuts="0" onClick={act.fit}>
          <Scan aria-hidden className="size-4.5" />
        </IconButton>
        {children}
      </div>
    </div>
  );
}
