// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { obey, toggledSound, type Keyboard } from "./actions.ts";

let film: { currentTime: number; duration: number };
const press = (command: Parameters<typeof obey>[0]): void =>
  obey(command, { video: film as HTMLVideoElement } as unknown as Keyboard);

beforeEach(() => {
  // It is where it will begin, and has no length yet.
  film = { currentTime: 1200, duration: Number.NaN };
});

/** WATCH-7. */
test("a film that still loads is skipped through from where it will begin", () => {
  press({ do: "skip", seconds: 5 });
  press({ do: "skip", seconds: 10 });
  expect(film.currentTime).toBe(1215);
});

test("a key for a tenth of a film does nothing before its length is known", () => {
  press({ do: "jump", share: 0.5 });
  expect(film.currentTime).toBe(1200);
  film.duration = 3000;
  press({ do: "jump", share: 0.5 });
  expect(film.currentTime).toBe(1500);
});

test("a skip ends at the beginning of a film", () => {
  press({ do: "skip", seconds: -5000 });
  expect(film.currentTime).toBe(0);
});

test.each([
  [{ muted: false, volume: 0.4 }, { muted: true }],
  [
    { muted: true, volume: 0.4 },
    { muted: false, volume: 0.4 },
  ],
  [
    { muted: true, volume: 0 },
    { muted: false, volume: 1 },
  ],
  [
    { muted: false, volume: 0 },
    { muted: false, volume: 1 },
  ],
])("sound that is switched is heard, or not: %j", (before, changes) => {
  expect(toggledSound(before)).toEqual(changes);
});
