import { Keyboard } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useShortcuts, useShortcutsSetting } from "../../../../platform/keyboard/shortcuts.ts";
import { Button } from "../../../../ui/button.tsx";
import { Checkbox } from "../../../../ui/field.tsx";
import { KeyHint } from "../../../../ui/key-hint.tsx";
import { Sheet } from "../../../../ui/sheet.tsx";

const keys = [
  ["j / k", "Next and previous request"],
  ["t", "I have seen the money arrive"],
  ["a", "Approve"],
  ["r", "Reject; then the number of a saved reason, and Enter"],
  ["u", "Undo the last decision, for 10 seconds"],
  ["o", "Open the picture"],
  ["+ / - / 0", "Zoom the picture in, out, and fit it"],
  ["Shift + R", "Rotate the picture"],
  ["/", "Search"],
  ["F6", "Go to the message about the last decision"],
  ["?", "This help"],
] as const;

interface ShortcutHelpProps {
  /** Whether the page has a search, to which `/` leads. */
  hasSearch: boolean;
}

/** All keys of the review, and the switch for them (REVIEW-2). */
export function ShortcutHelp({ hasSearch }: ShortcutHelpProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isOn, setOn] = useShortcutsSetting();
  useShortcuts({ "?": () => setOpen(true) });
  return (
    <>
      <Button variant="quiet" size="small" className="max-lg:hidden" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        <Keyboard aria-hidden className="size-4.5" />
        Keys
        <KeyHint>?</KeyHint>
      </Button>
      <Sheet open={isOpen} title="Keys" onClose={() => setOpen(false)}>
        <dl className="mb-4 grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2 text-small">
          {keys
            .filter(([key]) => hasSearch || key !== "/")
            .map(([key, what]) => (
              <div key={key} className="contents">
                <dt className="font-figures">{key}</dt>
                <dd className="text-muted">{what}</dd>
              </div>
            ))}
        </dl>
        <Checkbox label="Keys without Ctrl or Alt are on" checked={isOn} onChange={({ target }) => setOn(target.checked)} />
      </Sheet>
    </>
  );
}
