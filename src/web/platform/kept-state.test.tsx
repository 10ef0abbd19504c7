// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { show } from "../../../tests/support/render.tsx";
import { forgetKeptState, isStateKept, keepStateFor, useKeptState } from "./kept-state.ts";

function Form(): ReactNode {
  const [text, setText] = useKeptState("form: text", "");
  return <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
}
const field = () => screen.getByRole<HTMLInputElement>("textbox");
beforeEach(() => {
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

test("an emptied form has nothing that a reload would lose", async () => {
  const { user } = show(<Form />);
  await user.type(field(), "x");
  await user.clear(field());
  expect(isStateKept()).toBe(false);
});
