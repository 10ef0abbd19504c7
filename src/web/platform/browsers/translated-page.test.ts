// @vitest-environment happy-dom
import { beforeEach, expect, test } from "vitest";
import { tolerateTranslation } from "./translated-page.ts";

const text = document.createTextNode("Submit");
const parent = document.createElement("p");
beforeEach(() => {
  tolerateTranslation();
  parent.replaceChildren(text, document.createElement("b"));
});

/** Does what a translation does. */
function replaceText(): void {
  const translated = document.createElement("span");
  translated.textContent = "Enviar";
  text.replaceWith(translated);
}

// TEXT-3
test("removing a text that was replaced is no error", () => {
  replaceText();
  expect(parent.removeChild(text)).toBe(text);
  expect(parent.innerHTML).toBe("<span>Enviar</span><b></b>");
});

// TEXT-3
test("what belongs before a text that was replaced is put at the end", () => {
  replaceText();
  const added = document.createElement("i");
  expect(parent.insertBefore(added, text)).toBe(added);
  expect(parent.innerHTML).toBe("<span>Enviar</span><b></b><i></i>");
});

test("what was not replaced is removed and inserted before as ever", () => {
  parent.insertBefore(document.createElement("i"), text);
  parent.insertBefore(document.createElement("u"), null);
  expect(parent.innerHTML).toBe("<i></i>Submit<b></b><u></u>");
  expect(parent.removeChild(text)).toBe(text);
  expect(parent.innerHTML).toBe("<i></i><b></b><u></u>");
});
