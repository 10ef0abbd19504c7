import { Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";

interface EditButtonsProps {
  /** What they change. */
  name: string;
  onEdit: () => void;
  onDelete: () => void;
  /** For each of the two. */
  className?: string;
}

/** The buttons of a row that edit and delete it. */
export function EditButtons({ name, onEdit, onDelete, className }: EditButtonsProps): ReactNode {
  return (
    <>
      <IconButton label={`Edit ${name}`} className={className} onClick={onEdit}>
        <Pencil aria-hidden className="size-4.5" />
      </IconButton>
      <IconButton label={`Delete ${name}`} className={cx("hover:text-loss", className)} onClick={onDelete}>
        <Trash2 aria-hidden className="size-4.5" />
      </IconButton>
    </>
  );
}
