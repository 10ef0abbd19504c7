// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../../../../../../tests/support/render.tsx";
import { ShortcutHelp } from "./shortcut-help.tsx";

// REVIEW-2
test.each([
  [true, "beside the search"],
  [false, "on a page without one"],
])("the help lists the key of the search: %s %s", async (hasSearch) => {
  const { user } = show(<ShortcutHelp hasSearch={hasSearch} />);
  await user.click(screen.getByRole("button", { name: /^Keys/ }));
  expect(await screen.findByText("Approve")).toBeDefined();
  expect(screen.queryByText("Search") !== null).toBe(hasSearch);
});
