// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { News } from "#domain/api/course/news";
import { ProductError } from "#domain/errors/messages";
import { show, showAdmin } from "../../../../../tests/support/render.tsx";
import { newsOptions } from "../../../entities/news/queries.ts";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { LeaveGuard } from "../editing/leave-guard.tsx";
import { NewsForm } from "./news-form.tsx";
import { NewsTab } from "./news-tab.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    news: {
      list: vi.fn<() => unknown>(),
      reach: vi.fn<() => unknown>(),
      publish: vi.fn<() => unknown>(),
      update: vi.fn<() => unknown>(),
      remove: vi.fn<() => unknown>(),
    },
  },
}));
const publish = vi.mocked(api.news.publish);
const update = vi.mocked(api.news.update);
const onClose = vi.fn<() => void>();
const mailed = (finished_at: string | null): News =>
  ({ id: "a", title: "T", text: "B", audience: "advanced", mailing: { mails: 1, finished_at } }) as News;
const stored = mailed("2026-11-26T07:00:00.000Z");
beforeEach(() => {
  vi.mocked(api.news.list).mockResolvedValue({ items: [], next_cursor: null });
  vi.mocked(api.news.reach).mockResolvedValue({
    everyone: { students: 40, mails: 12 },
    starter: { students: 9, mails: 7 },
    advanced: { students: 1, mails: 1 },
  });
  publish.mockReset().mockResolvedValue(stored);
  update.mockReset().mockResolvedValue(stored);
  onClose.mockReset();
});

async function fill(user: UserEvent): Promise<void> {
  await user.type(screen.getByLabelText("Title"), "Hello");
  await user.type(screen.getByLabelText("Text"), "A text.");
}
const press = (user: UserEvent, name: string) => user.click(screen.getByRole("button", { name }));

// NEWS-4
test("the form says to how many students news would be mailed, by audience", async () => {
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  await screen.findByText("To 12 of 40 students: those who want news by mail.");
  await user.selectOptions(screen.getByLabelText("For"), "Advanced only");
  expect(screen.getByText("To 1 of 1 student: those who want news by mail.")).toBeDefined();
});

test("news is published without a question where it is not mailed", async () => {
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  await fill(user);
  await press(user, "Publish");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(publish).toHaveBeenCalledExactlyOnceWith({
    headers: { "idempotency-key": expect.any(String) },
    body: { title: "Hello", text: "A text.", audience: "everyone", mail: false },
  });
});

test("news is mailed only after a confirmation, and a second try has the same key", async () => {
  publish.mockRejectedValueOnce(new ProductError("offline"));
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  await fill(user);
  await user.click(screen.getByRole("checkbox"));
  await press(user, "Publish");
  expect((await screen.findByRole("alertdialog")).textContent).toContain("It goes to 12 students by mail at once.");
  expect(publish).not.toHaveBeenCalled();
  await press(user, "Publish and mail");
  await screen.findByRole("alert");
  await press(user, "Publish");
  await user.click(await screen.findByRole("button", { name: "Publish and mail" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const [first, second] = publish.mock.calls.map(([{ headers, body }]) => ({ ...headers, ...body }));
  expect(second).toEqual(first);
  expect(first).toMatchObject({ mail: true });
});

// NEWS-1
test.each([
  ["that had arrived is corrected", true],
  ["that had not arrived is published as it was corrected", false],
])("news %s after a lost reply", async (_outcome, hasArrived) => {
  publish.mockRejectedValueOnce(new ProductError("offline"));
  if (hasArrived) publish.mockRejectedValueOnce(new ProductError("idempotency_key_reused"));
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  await fill(user);
  await press(user, "Publish");
  await screen.findByRole("alert");
  // Whether it was mailed is decided, if it has arrived.
  expect(screen.getByRole<HTMLInputElement>("checkbox").disabled).toBe(true);
  await user.type(screen.getByLabelText("Title"), "!");
  await press(user, "Publish");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const sent = publish.mock.calls.map(([{ body }]) => body.title);
  expect(sent).toEqual(hasArrived ? ["Hello", "Hello!", "Hello"] : ["Hello", "Hello!"]);
  expect(new Set(publish.mock.calls.map(([{ headers }]) => headers["idempotency-key"])).size).toBe(1);
  expect(update.mock.calls).toEqual(hasArrived ? [[{ params: { id: "a" }, body: { title: "Hello!" } }]] : []);
});

test("news without a text is asked for before any question about mails", async () => {
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  await user.click(screen.getByRole("checkbox"));
  await press(user, "Publish");
  expect(await screen.findByText("Please enter a text.")).toBeDefined();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(publish).not.toHaveBeenCalled();
});

// TEXT-2
test("pasted text that is too long is refused with its limit, not cut off", async () => {
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "New announcement" }));
  await user.click(screen.getByLabelText("Title"));
  await user.paste("t".repeat(121));
  await user.click(screen.getByLabelText("Text"));
  await user.paste("t".repeat(5001));
  await press(user, "Publish");
  expect(await screen.findByText("Please use at most 5000 characters.")).toBeDefined();
  expect(screen.getByText("Please use at most 120 characters.")).toBeDefined();
  expect(publish).not.toHaveBeenCalled();
});

test("a change of news is saved without mail, and says that mails stay as they are", async () => {
  const { user } = show(<NewsForm news={stored} onMade={() => {}} onClose={onClose} />);
  expect(screen.getByText(/A change is displayed on the dashboard and reaches no mail/)).toBeDefined();
  expect(screen.queryByRole("checkbox")).toBeNull();
  await user.type(screen.getByLabelText("Title"), "!");
  await press(user, "Save news");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(update).toHaveBeenCalledExactlyOnceWith({
    params: { id: "a" },
    body: { title: "T!" },
  });
});

// NEWS-4
test("the form says that mails get a change until the last of them is written", async () => {
  vi.mocked(api.news.list).mockResolvedValue({ items: [mailed(null)], next_cursor: null });
  show(<NewsForm news={mailed(null)} onMade={() => {}} onClose={onClose} />);
  expect(screen.getByText("It is being mailed: mails that are not written yet get the change.")).toBeDefined();
  await waitFor(() => expect(api.news.list).toHaveBeenCalled());
  vi.mocked(api.news.list).mockResolvedValue({ items: [stored], next_cursor: null });
  await act(() => queryClient.invalidateQueries({ queryKey: newsOptions.queryKey }));
  expect(await screen.findByText(/A change is displayed on the dashboard and reaches no mail/)).toBeDefined();
});

test("news that is saved without a change is not sent", async () => {
  const { user } = show(<NewsForm news={stored} onMade={() => {}} onClose={onClose} />);
  await press(user, "Save news");
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(update).not.toHaveBeenCalled();
});

/** A new announcement whose title is typed on while it is published. */
async function publishWhileTyping() {
  let reply = (): void => {};
  publish.mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(stored))));
  const { user } = show(<NewsForm news={undefined} onMade={() => {}} onClose={onClose} />);
  await fill(user);
  await press(user, "Publish");
  await user.type(screen.getByLabelText("Title"), "!");
  await act(async () => reply());
  return { user };
}

// ADMIN-5
test("keeps what is typed while news is published, for a change of it", async () => {
  const { user } = await publishWhileTyping();
  await user.click(await screen.findByRole("button", { name: "Save news" }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(publish).toHaveBeenCalledOnce();
  expect(update).toHaveBeenCalledExactlyOnceWith({ params: { id: "a" }, body: { title: "Hello!" } });
});

test("news that is published already cannot be mailed by a change of it", async () => {
  await publishWhileTyping();
  expect(await screen.findByRole("heading", { name: "Edit news" })).toBeDefined();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("the form of news that was just published closes where the news is deleted", async () => {
  let reply = (): void => {};
  publish.mockReturnValueOnce(new Promise((resolve) => (reply = () => resolve(stored))));
  const { user } = showAdmin(
    <LeaveGuard>
      <NewsTab />
    </LeaveGuard>,
  );
  await user.click(await screen.findByRole("button", { name: "Write news" }));
  await fill(user);
  await press(user, "Publish");
  await user.type(screen.getByLabelText("Title"), "!");
  const row = { ...stored, published_at: "2026-11-26T00:00:00.000Z", edited_at: null };
  vi.mocked(api.news.list).mockResolvedValue({ items: [row], next_cursor: null });
  await act(async () => reply());
  await user.click(await screen.findByRole("button", { name: "Edit T" }));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("Hello!");

  vi.mocked(api.news.remove).mockResolvedValue({ deleted: true });
  await press(user, "Delete T");
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  expect(await screen.findByRole("button", { name: "Write news" })).toBeDefined();
});

// ADMIN-5
test("written news is neither replaced nor left without a question", async () => {
  const row = { ...stored, published_at: "2026-11-26T00:00:00.000Z", edited_at: null };
  vi.mocked(api.news.list).mockResolvedValue({ items: [row], next_cursor: null });
  const { user, router } = showAdmin(
    <LeaveGuard>
      <NewsTab />
    </LeaveGuard>,
  );
  await user.click(await screen.findByRole("button", { name: "Write news" }));
  await fill(user);
  await press(user, "Edit T");
  expect((await screen.findByRole("alertdialog")).textContent).toContain("The announcement in the form is not saved.");
  await press(user, "Cancel");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("Hello");
  await act(() => router.navigate("/account"));
  await press(user, "Discard changes");
  expect(router.state.location.pathname).toBe("/account");
});
