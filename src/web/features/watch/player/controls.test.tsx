// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { Controls } from "./controls.tsx";

const captions = [{ language: "en", label: "English", url: "/captions/en" }];
const preferences = { rate: 1, volume: 1, muted: false, captions: null, lastCaptions: null, keys: true } as const;

// WATCH-7
test("says that captions are off, not that the film has none", () => {
  const bar = { video: null, stage: null, captions, preferences, change: () => {}, onHelp: () => {} };
  show(<Controls {...bar} language={null} />);
  const choice = screen.getByRole("combobox", { name: "Captions" });
  expect([...choice.querySelectorAll("option")].map(({ text }) => text)).toEqual(["Captions off", "English"]);
  expect(choice.parentElement?.querySelector("svg")).not.toBeNull();
});
