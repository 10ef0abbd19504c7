import { X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/field.tsx";

const shortcuts: [keys: string[], what: string][] = [
  [["Space", "K"], "Play or pause"],
  [["←", "→"], "Back or forward 5 seconds"],
  [["J", "L"], "Back or forward 10 seconds"],
  [["0", "–", "9"], "To that tenth of the film"],
  [["↑", "↓"], "Louder or quieter"],
  [["M"], "Sound off or on"],
  [["C"], "Captions"],
  [["<", ">"], "Slower or faster"],
  [["F"], "Full screen"],
  [["?"], "This list"],
];

interface ShortcutsProps {
  hasKeys: boolean;
  onHasKeys: (hasKeys: boolean) => void;
  onClose: () => void;
}

/** The keys of the player. A dialog of the browser's own, since others do not reach above what is in full screen. */
export function Shortcuts({ hasKeys, onHasKeys, onClose }: ShortcutsProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="shortcuts"
      onClose={onClose}
      className="m-auto w-[min(26rem,calc(100vw-2rem))] rounded-panel border border-line bg-surface p-6 text-ink backdrop:bg-scrim"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 id="shortcuts" className="text-title">
          Keyboard shortcuts
        </h2>
        <IconButton label="Close" onClick={() => dialog.current?.close()}>
          <X aria-hidden className="size-5" />
        </IconButton>
      </div>
      <dl className="mt-4 grid gap-2 text-small">
        {shortcuts.map(([keys, what]) => (
          <div key={what} className="flex items-center justify-between gap-4">
            <dt className="text-muted">{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="min-w-7 rounded-control border border-line bg-raised px-1.5 text-center font-sans">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-6">
        <Checkbox label="Use these keys" checked={hasKeys} onChange={({ target }) => onHasKeys(target.checked)} />
      </div>
    </dialog>
  );
}
