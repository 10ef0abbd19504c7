import { expect, type Locator, type Page } from "@playwright/test";
import { tabTo } from "./keyboard.ts";

/** A user of a screen, whose actions are counted. */
export interface Hands {
  /** Presses a button or follows a link. */
  press(target: Locator): Promise<void>;
  /** Types into a field that was not typed into before. */
  type(field: Locator, text: string): Promise<void>;
  /** Chooses one of the radio buttons of a group, which begins with `first`. */
  choose(radio: Locator, first: Locator): Promise<void>;
  tick(box: Locator): Promise<void>;
  pick(input: Locator, file: string): Promise<void>;
  /** What was done so far, to be printed. */
  count(): string;
}

/** Refuses a second typing into the same field. */
function typedOnce(): (field: Locator) => void {
  const typed = new Set<string>();
  return (field) => {
    expect([...typed], "a field is typed into twice").not.toContain(String(field));
    typed.add(String(field));
  };
}

/** A user with a touch screen. */
export function fingersOn(page: Page): Hands {
  const check = typedOnce();
  let [taps, characters] = [0, 0];
  const tap = async (target: Locator): Promise<void> => {
    taps++;
    await target.tap();
  };
  const labelOf = (input: Locator): Locator => page.locator("label").filter({ has: input });
  return {
    press: tap,
    async type(field, text) {
      check(field);
      // A field that has the focus already needs no tap.
      if (!(await field.evaluate((element) => element === document.activeElement))) await tap(field);
      await page.keyboard.type(text);
      characters += text.length;
    },
    choose: tap,
    tick: tap,
    async pick(input, file) {
      const chooser = page.waitForEvent("filechooser");
      await tap(labelOf(input));
      await (await chooser).setFiles(file);
    },
    count: () => `${taps} taps, ${characters} characters`,
  };
}

/** A user without a mouse; checks at every step that the focused element is visible. */
export function keysOn(page: Page): Hands {
  const check = typedOnce();
  let [keys, characters] = [0, 0];
  // Choosers are taken from the first listener on; one added just before the key may come too late.
  page.on("filechooser", () => {});
  const go = async (target: Locator): Promise<void> => {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    keys += await tabTo(page, target);
  };
  const hit = async (key: string): Promise<void> => {
    keys++;
    await page.keyboard.press(key);
  };
  return {
    async press(target) {
      await go(target);
      await hit("Enter");
    },
    async type(field, text) {
      check(field);
      await go(field);
      await page.keyboard.type(text);
      characters += text.length;
    },
    async choose(radio, first) {
      await go(first);
      while (!(await radio.isChecked())) await hit("ArrowDown");
    },
    async tick(box) {
      await go(box);
      await hit("Space");
    },
    async pick(input, file) {
      await go(input);
      const chooser = page.waitForEvent("filechooser");
      await hit("Enter");
      await (await chooser).setFiles(file);
    },
    count: () => `${keys} keys besides ${characters} characters`,
  };
}
