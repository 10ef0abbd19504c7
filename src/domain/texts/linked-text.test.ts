import fc from "fast-check";
import { expect, it } from "vitest";
import { linkedPieces, paragraphsOf } from "./linked-text.ts";

const linksIn = (text: string): string[] => linkedPieces(text).flatMap(({ href }) => href ?? []);

// NEWS-5
it.each([
  ["See https://a.example/x?y=1#z.", ["https://a.example/x?y=1#z"]],
  ["(https://a.example/x), https://b.example!", ["https://a.example/x", "https://b.example"]],
  ["https://a.example/wiki/Wave_(finance)", ["https://a.example/wiki/Wave_(finance)"]],
  ["(see https://a.example/wiki/Wave_(finance).)", ["https://a.example/wiki/Wave_(finance)"]],
  ["https://a.example/x)y", ["https://a.example/x)y"]],
  ["https://a.example:8443/x?! https://a.example:port", ["https://a.example:8443/x"]],
  ["Https://a.example/X, HTTPS://B.example", ["Https://a.example/X", "HTTPS://B.example"]],
  ["http://a.example javascript:alert(1) data:text/html,x www.a.example", []],
  ["https://bank.example@evil.example and https://", []],
  ['https://a.example"onmouseover=x https://b.example<script>', ["https://a.example", "https://b.example"]],
])("makes links of https addresses alone: %s", (text, links) => expect(linksIn(text)).toEqual(links));

it.each([
  ["https://a.example", [{ text: "https://a.example", href: "https://a.example" }]],
  ["See https://a.example.", [{ text: "See " }, { text: "https://a.example", href: "https://a.example" }, { text: "." }]],
  ["", []],
])("splits a text into no empty piece: %j", (text, pieces) => expect(linkedPieces(text)).toEqual(pieces));

it("leaves every text as it is, and links to https alone", () => {
  const part = fc.constantFrom(
    "https://a.example/",
    "https://u@b.example",
    "javascript:x",
    "a",
    " ",
    "\n",
    ")",
    "(",
    ".",
    "<b>",
    '"',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(part).map((parts) => parts.join("")),
        fc.string(),
      ),
      (text) => {
        expect(
          linkedPieces(text)
            .map((piece) => piece.text)
            .join(""),
        ).toBe(text);
        for (const href of linksIn(text)) expect(new URL(href).protocol).toBe("https:");
      },
    ),
  );
});

it("parts paragraphs at blank lines and keeps single line breaks", () => {
  expect(paragraphsOf(" One\nline \n\n \t\nTwo\r\n\r\nThree\n\n")).toEqual(["One\nline", "Two", "Three"]);
  expect(paragraphsOf("One\nline\nmore")).toEqual(["One\nline\nmore"]);
});
