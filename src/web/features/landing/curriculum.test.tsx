// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { Curriculum } from "./curriculum.tsx";

// LANDING-1
test("live sessions are not called recorded, since the hero counts them apart", () => {
  show(<Curriculum />);
  expect(screen.getByText(/losers included/).textContent).toMatch(/^Mornings at the screen/);
});
