// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { show } from "../../../tests/support/render.tsx";
import { Banner } from "./banner.tsx";
import { Button, IconButton } from "./button.tsx";
import { DataTable } from "./data-table.tsx";
import { ConfirmDialog } from "./dialog.tsx";
import { Checkbox, TextField } from "./field.tsx";
import { PasswordField } from "./password-field.tsx";
import { Progress } from "./progress.tsx";
import { Sheet } from "./sheet.tsx";
import { Tabs } from "./tabs.tsx";

const described = (element: HTMLElement): string | null | undefined =>
  document.getElementById(element.getAttribute("aria-describedby") ?? "")?.textContent;

test("a text field is named by its label and described by its hint", () => {
  show(<TextField label="Name" hint="As on the card." />);
  const field = screen.getByRole("textbox", { name: "Name" });
  expect(described(field)).toBe("As on the card.");
  expect(field.hasAttribute("aria-invalid")).toBe(false);
});

test("an error replaces a field's hint and is announced", () => {
  show(<TextField label="Name" hint="As on the card." error="Too long." />);
  const field = screen.getByRole("textbox", { name: "Name" });
  expect(described(field)).toBe("Too long.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByRole("alert").textContent).toBe("Too long.");
  expect(screen.queryByText("As on the card.")).toBeNull();
});

test("a checkbox is named by its label and described by its error", () => {
  show(<Checkbox label="I agree" error="Please agree." />);
  const box = screen.getByRole("checkbox", { name: "I agree" });
  expect(described(box)).toBe("Please agree.");
  expect(box.getAttribute("aria-invalid")).toBe("true");
});

test("a password is hidden until its button shows it", async () => {
  const { user } = show(<PasswordField label="Password" />);
  const field = screen.getByLabelText("Password");
  expect(field.getAttribute("type")).toBe("password");
  const button = screen.getByRole("button", { name: "Show password", pressed: false });
  await user.click(button);
  expect(field.getAttribute("type")).toBe("text");
  expect(screen.getByRole("button", { name: "Hide password", pressed: true })).toBe(button);
});

test("a loss is an alert, other banners are a status, and some are neither", () => {
  show(
    <>
      <Banner tone="loss">Refused</Banner>
      <Banner>Sent</Banner>
      <Banner isAnnounced={false}>Old</Banner>
    </>,
  );
  expect(screen.getByRole("alert").textContent).toBe("Refused");
  expect(screen.getByRole("status").textContent).toBe("Sent");
});

test("a banner is closed by a named button", async () => {
  const onClose = vi.fn<() => void>();
  const { user } = show(<Banner onClose={onClose}>Sent</Banner>);
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(onClose).toHaveBeenCalledOnce();
});

test("a button submits a form only as type submit, and an icon button has a name", () => {
  show(
    <>
      <Button>Save</Button>
      <IconButton label="Delete the row" />
    </>,
  );
  expect(screen.getByRole("button", { name: "Save" }).getAttribute("type")).toBe("button");
  expect(screen.getByRole("button", { name: "Delete the row" })).toBeDefined();
});

test("a button that was disabled while it worked gets the focus back", () => {
  const { rerender } = show(<Button>Save</Button>);
  screen.getByRole("button").focus();
  rerender(<Button disabled>Save</Button>);
  (document.activeElement as HTMLElement | null)?.blur();
  rerender(<Button>Save</Button>);
  expect(document.activeElement).toBe(screen.getByRole("button"));
});

// TEXT-3
test("a busy button whose label a browser has translated displays its new label", () => {
  const { rerender } = show(<Button>Submit</Button>);
  const button = screen.getByRole("button");
  const translated = document.createElement("i");
  translated.textContent = "Enviar";
  screen.getByText("Submit").firstChild?.replaceWith(translated);
  rerender(<Button isBusy>Submitting...</Button>);
  expect(button.textContent).toBe("Submitting...");
  expect(button.querySelector("svg")).not.toBeNull();
});

test("a dialog is an alert dialog with a title, a description and a way out", async () => {
  const [onConfirm, onCancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { user } = show(
    <ConfirmDialog open title="Delete it" confirmLabel="Delete" onConfirm={onConfirm} onCancel={onCancel}>
      It cannot be restored.
    </ConfirmDialog>,
  );
  const dialog = screen.getByRole("alertdialog", { name: "Delete it" });
  expect(described(dialog)).toBe("It cannot be restored.");
  await user.click(screen.getByRole("button", { name: "Delete" }));
  expect(onConfirm).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(onCancel).toHaveBeenCalledOnce();
});

test.each(["ConfirmDialog", "Sheet"])("a %s has the focus before the next key, without waiting for a frame", async (kind) => {
  vi.stubGlobal("requestAnimationFrame", () => 0);
  onTestFinished(() => void vi.unstubAllGlobals());
  const question = (open: boolean) =>
    kind === "Sheet" ? (
      <Sheet open={open} title="Look" onClose={() => {}}>
        Closely.
      </Sheet>
    ) : (
      <ConfirmDialog open={open} title="Look" confirmLabel="Go on" onConfirm={() => {}} onCancel={() => {}}>
        Closely.
      </ConfirmDialog>
    );
  const { rerender } = show(question(false));
  rerender(question(true));
  // All microtasks of the commit, and no timer.
  await Promise.resolve();
  expect(document.activeElement).toBe(screen.getByRole("button", { name: /Cancel|Close/ }));
});

test("a busy dialog can be neither confirmed nor cancelled", () => {
  show(
    <ConfirmDialog open isBusy title="Delete it" confirmLabel="Delete" onConfirm={() => {}} onCancel={() => {}}>
      It cannot be restored.
    </ConfirmDialog>,
  );
  for (const name of ["Delete", "Cancel"]) expect(screen.getByRole<HTMLButtonElement>("button", { name }).disabled).toBe(true);
});

test("a table names its columns and the row that a cell belongs to", () => {
  const columns = [
    { name: "Title", isHeader: true, cell: (row: string) => row },
    { name: "Size", isFigure: true, cell: (row: string) => row.length },
  ];
  show(<DataTable caption="Words" columns={columns} rows={["one", "three"]} keyOf={(row) => row} />);
  expect(screen.getByRole("table", { name: "Words" })).toBeDefined();
  expect(screen.getAllByRole("rowheader").map(({ textContent }) => textContent)).toEqual(["one", "three"]);
});

test("progress has a name and a value in percent", () => {
  show(<Progress label="Uploading" value={0.429} />);
  const bar = screen.getByRole<HTMLProgressElement>("progressbar", { name: "Uploading" });
  expect([bar.value, bar.max]).toEqual([42, 100]);
});

test("only the selected tab's panel is rendered, and a kept one keeps its state", async () => {
  const items = ["one", "two"].map((value) => ({
    value,
    label: value,
    panel: <input aria-label={`About ${value}`} />,
    isKept: value === "one",
  }));
  const Numbers = () => {
    const [value, setValue] = useState("one");
    return <Tabs label="Numbers" value={value} onChange={setValue} items={items} />;
  };
  const { user } = show(<Numbers />);
  expect(screen.getByRole("tab", { name: "one", selected: true })).toBeDefined();
  expect(screen.queryByLabelText("About two")).toBeNull();
  await user.type(screen.getByLabelText("About one"), "typed");
  await user.click(screen.getByRole("tab", { name: "two" }));
  await user.type(screen.getByLabelText("About two"), "typed");
  expect(screen.getByLabelText("About one").closest("[hidden]")).not.toBeNull();
  await user.click(screen.getByRole("tab", { name: "one" }));
  expect(screen.getByLabelText<HTMLInputElement>("About one").value).toBe("typed");
  expect(screen.queryByLabelText("About two")).toBeNull();
});
