// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { UserDetail, UserNote } from "#domain/api/users";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { NotesPanel } from "./notes-panel.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: { users: { addNote: vi.fn<() => unknown>(), updateNote: vi.fn<() => unknown>() } },
}));

const noteOf = (id: string, day: string): UserNote => ({ id, text: id, created_at: `${day}T00:00:00.000Z`, updated_at: null });
const notes = [noteOf("a", "2026-11-25"), noteOf("b", "2026-11-26")];
const showNotes = () => show(<NotesPanel user={{ id: "1", notes } as UserDetail} />);
const textOf = (name: RegExp): string => screen.getByRole<HTMLTextAreaElement>("textbox", { name }).value;

// USER-6
test("a note that is saved late leaves the form of another one open", async () => {
  let reply = (): void => {};
  vi.mocked(api.users.updateNote).mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(notes[0]!))));
  const { user } = showNotes();
  await user.click(screen.getAllByRole("button", { name: /^Edit/ })[0]!);
  await user.click(screen.getByRole("button", { name: "Save note" }));
  await user.click(screen.getByRole("button", { name: /^Edit/ }));
  await user.type(screen.getByRole("textbox", { name: /^Note of/ }), " more");
  await act(async () => reply());
  expect(textOf(/^Note of/)).toBe("b more");
});

test("what is typed while a new note is saved stays", async () => {
  let reply = (): void => {};
  vi.mocked(api.users.addNote).mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(notes[0]!))));
  const { user } = showNotes();
  await user.type(screen.getByRole("textbox", { name: /^New note/ }), "Paid");
  await user.click(screen.getByRole("button", { name: "Add note" }));
  await user.type(screen.getByRole("textbox", { name: /^New note/ }), " twice");
  await act(async () => reply());
  expect(textOf(/^New note/)).toBe("Paid twice");
});
