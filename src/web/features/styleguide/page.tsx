import { useState, type ReactNode } from "react";
import { ProductError } from "#domain/errors/messages";
import { useTitle } from "../../platform/site.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { NotThere } from "../../ui/not-there.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { Sheet as DialogSheet } from "../../ui/sheet.tsx";
import { toast, Toasts } from "../../ui/toast.tsx";
import { cx } from "../../ui/cx.ts";
import { Controls } from "./controls.tsx";
import { Showings } from "./showings.tsx";

/** Every part of `ui/` in every state, dark beside light; in development and in its test only. */
export function StyleguidePage(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [isSheetOpen, setSheetOpen] = useState(false);
  useTitle("Styleguide");
  return (
    <Page wide actions={<ButtonLink to="/">Leave</ButtonLink>}>
      <h1 className="mb-6 text-heading">Styleguide</h1>
      <div className="mb-6 flex flex-wrap gap-3">
        <Button onClick={() => setOpen(true)}>Open the dialog</Button>
        <Button
          variant="secondary"
          onClick={() => toast({ title: "Done", description: "What has happened.", action: { label: "Undo", run: () => {} } })}
        >
          Open a toast
        </Button>
      </div>
      <Button className="mb-6" variant="secondary" onClick={() => setSheetOpen(true)}>
        Open a sheet
      </Button>
      <Toasts />
      <DialogSheet open={isSheetOpen} title="A sheet" onClose={() => setSheetOpen(false)}>
        <p>What there is to look at.</p>
      </DialogSheet>
      <ConfirmDialog
        open={isOpen}
        title="A question"
        confirmLabel="Delete"
        isDangerous
        error="What went wrong stands here."
        onConfirm={() => setOpen(false)}
        onCancel={() => setOpen(false)}
      >
        <p>What must be known before deciding.</p>
        <div className="text-ink">
          <TextArea label="Reason" error="Please give a reason." />
        </div>
      </ConfirmDialog>
      <div className="grid gap-6 xl:grid-cols-2">
        <Sheet name="Dark" className="scheme-dark" />
        <Sheet name="Light" className="scheme-light" />
      </div>
    </Page>
  );
}

function Sheet({ name, className }: { name: string; className: string }): ReactNode {
  return (
    <section
      aria-label={name}
      className={cx("grid min-w-0 gap-8 rounded-panel border border-line bg-ground p-4 text-ink sm:p-6", className)}
    >
      <Controls />
      <Showings />
      <Notice code="404" title="A page that says one thing" backTo="/" backLabel="Back" action={<Button>Try again</Button>}>
        And shows the way back.
      </Notice>
      <NotThere
        error={new ProductError("unavailable")}
        retry={() => {}}
        missing="There is nothing at this address."
        titles={{ missing: "Nothing here", notLoaded: "A page that could not be loaded" }}
        backTo="/"
        backLabel="Back"
      />
      <PageLoading text="Loading..." />
    </section>
  );
}
