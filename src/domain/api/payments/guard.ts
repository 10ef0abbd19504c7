import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { cryptoTypes } from "../../payment-methods/methods.ts";
import { settingsNames, type SettingsName } from "../../payment-methods/settings.ts";
import { timestamp } from "../fields.ts";

/** One field of a change; prices are USD decimal strings, empty means not set up. */
const Change = z.object({
  field: z.enum(settingsNames as [SettingsName, ...SettingsName[]]),
  label: z.string(),
  before: z.string(),
  after: z.string(),
});

const GuardedChanges = z.object({
  /** Newest first. */
  items: z.array(
    z.object({
      id: z.int(),
      at: timestamp,
      changes: z.array(Change),
      /** The account's e-mail, its network address and its device. */
      by: z.string(),
      network: z.string(),
      device: z.string(),
      undo_until: timestamp,
      undone_at: z.nullable(timestamp),
    }),
  ),
  /** The methods whose saved destination is not quoted before a time. */
  takes_effect: z.array(z.object({ crypto_type: z.enum(cryptoTypes), at: timestamp })),
});
export type GuardedChanges = z.infer<typeof GuardedChanges>;

const UndoPreview = z.object({
  changed_at: timestamp,
  undo_until: timestamp,
  /** From the value now to the value that comes back. */
  restores: z.array(Change),
  /** Labels of the fields of the change that stay as they are, because they have changed in another way since. */
  stays: z.array(z.string()),
});
export type UndoPreview = z.infer<typeof UndoPreview>;

const UndoResult = z.object({ restored: z.array(Change) });
export type UndoResult = z.infer<typeof UndoResult>;

const undoLink = z.object({ token: z.string().check(z.maxLength(100)) });
const count = z.object({ count: z.int() });

export const guard = {
  changes: oc
    .route({ method: "GET", path: "/api/wallet-settings/changes", summary: "Changes of where payments go, of 72 hours" })
    .output(GuardedChanges),
  openQuotes: oc
    .route({ method: "GET", path: "/api/wallet-settings/open-quotes", summary: "How many quotes are open" })
    .output(count),
  voidQuotes: oc
    .route({ method: "POST", path: "/api/wallet-settings/void-quotes", summary: "End every open quote at once" })
    .output(count),
  previewUndo: oc
    .route({ method: "POST", path: "/api/undo/preview", summary: "What a mailed link would undo" })
    .input(undoLink)
    .output(UndoPreview),
  undo: oc
    .route({ method: "POST", path: "/api/undo", summary: "Undo a change by its mailed link, once" })
    .input(undoLink)
    .output(UndoResult),
};
