// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { commandOf, nextRate, type Command } from "./keys.ts";

/** WATCH-7. */
afterEach(() => {
  Reflect.deleteProperty(document, "fullscreenElement");
  document.body.replaceChildren();
});

const plain = { code: "", shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

/** What a key asks for that is pressed on the element of the page with this id. */
function pressed(key: string, on = "stage", modifiers: Partial<KeyboardEvent> = {}): Command | undefined {
  document.body.innerHTML = `<div id="stage"><button id="button">x</button><select id="choice"></select>
    <input id="position" type="range"><input id="volume" type="range" data-own-arrows></div><input id="search"><a id="link" href="/">y</a><button id="outside"><span id="icon">z</span></button>
    <div role="menu"><div id="item" tabindex="-1">w</div></div><main tabindex="-1"><h1 id="title" tabindex="-1">v</h1></main>`;
  const target = on === "body" ? document.body : document.getElementById(on);
  const event = { ...plain, key, target, ...modifiers };
  return commandOf(event, document.getElementById("stage")!);
}

test.each<[string, Command]>([
  [" ", { do: "toggle" }],
  ["k", { do: "toggle" }],
  ["K", { do: "toggle" }],
  ["ArrowLeft", { do: "skip", seconds: -5 }],
  ["ArrowRight", { do: "skip", seconds: 5 }],
  ["j", { do: "skip", seconds: -10 }],
  ["l", { do: "skip", seconds: 10 }],
  ["ArrowUp", { do: "louder", by: 0.05 }],
  ["ArrowDown", { do: "louder", by: -0.05 }],
  ["m", { do: "mute" }],
  ["f", { do: "fullScreen" }],
  ["c", { do: "captions" }],
  ["<", { do: "rate", step: -1 }],
  [">", { do: "rate", step: 1 }],
  ["0", { do: "jump", share: 0 }],
  ["9", { do: "jump", share: 0.9 }],
  ["?", { do: "help" }],
])("the key %j works in the player", (key, command) => {
  expect(pressed(key)).toEqual(command);
});

test.each<[string, string, boolean, Command]>([
  ["า", "KeyK", false, { do: "toggle" }],
  ["ษ", "KeyK", true, { do: "toggle" }],
  ["ถ", "Digit5", false, { do: "jump", share: 0.5 }],
  ["/", "Digit2", false, { do: "jump", share: 0.2 }],
  ["ฬ", "Period", true, { do: "rate", step: 1 }],
  ["?", "KeyM", true, { do: "help" }],
])("the key that types %s on a Thai keyboard works in the player", (key, code, shiftKey, command) => {
  expect(pressed(key, "stage", { code, shiftKey })).toEqual(command);
});

test("keys work without a focused element, except those that scroll the page", () => {
  expect(pressed("k", "body")).toEqual({ do: "toggle" });
  expect(pressed(" ", "body")).toEqual({ do: "toggle" });
  expect(pressed("ArrowDown", "body")).toBeUndefined();
});

test("keys work on a heading that the page has focused, except those that scroll", () => {
  expect(pressed("k", "title")).toEqual({ do: "toggle" });
  expect(pressed("ArrowRight", "title")).toEqual({ do: "skip", seconds: 5 });
  expect(pressed("ArrowDown", "title")).toBeUndefined();
});

test("all keys work in full screen, which hides the page that has the focus", () => {
  document.body.innerHTML = `<div id="stage"></div><button id="button">v</button>`;
  const [stage, target] = [document.getElementById("stage")!, document.getElementById("button")];
  // Not in the DOM of the tests.
  Object.defineProperty(document, "fullscreenElement", { value: stage, configurable: true });
  const event = { ...plain, key: "ArrowUp", target };
  expect(commandOf(event, stage)).toEqual({ do: "louder", by: 0.05 });
});

test("keys belong to the field, the menu or the link that has the focus", () => {
  expect([pressed("k", "search"), pressed("k", "choice"), pressed("k", "link"), pressed("1", "choice")]).toEqual(
    Array.from({ length: 4 }),
  );
  expect([pressed("k", "outside"), pressed(" ", "icon"), pressed("k", "item")]).toEqual(Array.from({ length: 3 }));
});

test.each(["<dialog open>x</dialog>", "<div role=alertdialog>x</div>"])("no key works while %s is open", (dialog) => {
  const event = { ...plain, key: "k", target: document.body };
  document.body.innerHTML = `<div id="stage"></div>${dialog}`;
  expect(commandOf(event, document.getElementById("stage")!)).toBeUndefined();
});

test("keys work beside a toast", () => {
  const event = { ...plain, key: "k", target: document.body };
  document.body.innerHTML = `<div id="stage"></div><div role="dialog" aria-modal="false">Saved</div>`;
  expect(commandOf(event, document.getElementById("stage")!)).toEqual({ do: "toggle" });
});

test("the space bar presses the button that has the focus, and other keys work there", () => {
  expect(pressed(" ", "button")).toBeUndefined();
  expect(pressed("k", "button")).toEqual({ do: "toggle" });
});

test("arrows change a focused volume, and skip on the seek bar", () => {
  expect(pressed("ArrowRight", "volume")).toBeUndefined();
  expect(pressed("ArrowRight", "position")).toEqual({ do: "skip", seconds: 5 });
});

test("keys with a modifier and unknown keys are left to the browser", () => {
  for (const modifier of ["ctrlKey", "metaKey", "altKey"]) expect(pressed("f", "stage", { [modifier]: true })).toBeUndefined();
  expect([pressed("Tab"), pressed("Escape"), pressed("x")]).toEqual([undefined, undefined, undefined]);
});

test("the speed changes by the offered steps and stays at either end", () => {
  expect([nextRate(1, 1), nextRate(1, -1), nextRate(2, 1), nextRate(0.5, -1), nextRate(1.1, 1)]).toEqual([
    1.25, 0.75, 2, 0.5, 1.25,
  ]);
});
