// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "../../../../../tests/support/render.tsx";
import { Captions } from "./captions.tsx";

/** A cue whose text has no marks. */
class Cue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  getCueAsHTML(): { textContent: string } {
    return { textContent: this.text };
  }
}

beforeEach(() => vi.stubGlobal("VTTCue", Cue));
afterEach(() => vi.unstubAllGlobals());

// WATCH-7
test("lines of the same text are all drawn, and all go with their cues", () => {
  const track = Object.assign(new EventTarget(), { language: "en", mode: "disabled", activeCues: [] as Cue[] });
  const video = document.createElement("video");
  Object.defineProperty(video, "textTracks", { value: [track] });
  const { container } = show(<Captions video={video} language="en" />);
  const drawn = (...texts: string[]): string[] => {
    track.activeCues = texts.map((text) => new Cue(text));
    act(() => void track.dispatchEvent(new Event("cuechange")));
    return [...container.querySelectorAll("p")].map(({ textContent }) => textContent);
  };
  expect(drawn("- Yes.", "- Yes.")).toEqual(["- Yes.", "- Yes."]);
  expect(drawn("No.")).toEqual(["No."]);
  expect(drawn()).toEqual([]);
});
