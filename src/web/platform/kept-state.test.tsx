// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { show } from "../../../tests/support/render.tsx";
import * as keptState from "./kept-state.ts";

const { forgetKeptState, isStateKept, keepStateFor } = keptState;

/** The module, loaded anew by a reload. */
const page = { keptState };

function Form({ schema }: { schema?: z.ZodMiniType<string> | undefined }): ReactNode {
  const [text, setText] = page.keptState.useKeptState("form: text", "", schema);
  return <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
}
const field = () => screen.getByRole<HTMLInputElement>("textbox");
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
beforeEach(() => {
  page.keptState = keptState;
  forgetKeptState();
  keepStateFor("ann");
});

// JOURNEY-3
test("restores a form when the same person opens it again", async () => {
  const { user, unmount } = show(<Form />);
  await user.type(field(), "TH-42");
  unmount();
  keepStateFor("ann");
  show(<Form />);
  expect(field().value).toBe("TH-42");
  expect(isStateKept()).toBe(true);
});

test.each([
  ["another person signs in", () => keepStateFor("bo")],
  ["it was submitted", forgetKeptState],
])("forgets a form once %s", async (_, happens) => {
  const { user, unmount } = show(<Form />);
  await user.type(field(), "TH-42");
  unmount();
  happens();
  show(<Form />);
  expect(field().value).toBe("");
});

// JOURNEY-3
test("forgets one form by what its names begin with, also for a reload", async () => {
  const { user, unmount } = show(<Form schema={z.string()} />);
  await user.type(field(), "TH-42");
  unmount();
  keptState.forgetKeptOf("another form:");
  expect([isStateKept(), sessionStorage.length]).toEqual([true, 1]);
  keptState.forgetKeptOf("form:");
  expect([isStateKept(), sessionStorage.length]).toEqual([false, 0]);
});

test("an emptied form has nothing that a reload would lose", async () => {
  const { user } = show(<Form />);
  await user.type(field(), "x");
  await user.clear(field());
  expect(isStateKept()).toBe(false);
});

// JOURNEY-3
describe("a reload", () => {
  /** Types into a form, reloads the page, and returns what the form then has for an account. */
  async function textAfterReload(
    accountId: string,
    schema: z.ZodMiniType<string> | undefined,
    happens: () => void | Promise<void> = () => {},
  ): Promise<string> {
    const { user, unmount } = show(<Form schema={z.string()} />);
    await user.type(field(), "TH-42");
    unmount();
    await happens();
    vi.resetModules();
    page.keptState = await import("./kept-state.ts");
    page.keptState.keepStateFor(accountId);
    show(<Form schema={schema} />);
    return field().value;
  }

  test("keeps what has a schema for the same account", async () => {
    expect(await textAfterReload("ann", z.string())).toBe("TH-42");
  });

  test("loses what another version of the page stored", async () => {
    expect(await textAfterReload("ann", z.string().check(z.maxLength(3)))).toBe("");
  });

  test("loses what has no schema", async () => {
    expect(await textAfterReload("ann", undefined)).toBe("");
  });

  test.each([
    ["of another account", "bo", () => {}],
    ["that was submitted", "ann", forgetKeptState],
  ])("loses a form %s, and nothing stays stored", async (_, accountId, happens) => {
    expect(await textAfterReload(accountId, z.string(), happens)).toBe("");
    expect(sessionStorage.length).toBe(0);
  });

  test("loses a form that the browser refuses to store, also what it stored before", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const stored = new Map<string, string>();
    let isFull = false;
    const setItem = (key: string, value: string): void => {
      if (isFull) throw new DOMException("Full.", "QuotaExceededError");
      stored.set(key, value);
    };
    const getItem = (key: string) => stored.get(key) ?? null;
    vi.stubGlobal("sessionStorage", { getItem, setItem, removeItem: (key: string) => stored.delete(key) });
    const typeMore = async (): Promise<void> => {
      isFull = true;
      const { user, unmount } = show(<Form schema={z.string()} />);
      await user.type(field(), "-7");
      expect([field().value, isStateKept()]).toEqual(["TH-42-7", true]);
      unmount();
    };
    expect(await textAfterReload("ann", z.string(), typeMore)).toBe("");
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ name: "QuotaExceededError" }));
  });

  test("begins anew where what is stored cannot be read", async () => {
    const spoil = (): void => sessionStorage.setItem(sessionStorage.key(0)!, "{");
    expect(await textAfterReload("ann", z.string(), spoil)).toBe("");
  });
});
