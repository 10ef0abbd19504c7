import { expect, test } from "vitest";
import { contactsOf, siteLinksOf } from "./site-links.ts";

// CONTACT-1
test("a site without addresses has no contacts and an inert footer", () => {
  expect(siteLinksOf({})).toStrictEqual({ contacts: [], footer: {} });
});

test("one way to reach the operator serves both links of the footer", () => {
  const { contacts, footer } = siteLinksOf({ contactEmail: "help@example.com" });
  expect(contacts).toEqual([{ label: "help@example.com", href: "mailto:help@example.com" }]);
  expect(footer).toEqual({ paymentQuestions: "mailto:help@example.com", contact: "mailto:help@example.com" });
});

// CONTACT-2
test("each footer link leads to the address that was set for it", () => {
  const { footer, contacts } = siteLinksOf({
    contactEmail: "help@example.com",
    contactUrl: "https://line.me/ti/p/course",
    termsUrl: "https://example.com/terms",
    helpUrl: "https://example.com/help",
  });
  expect(contacts.map(({ label }) => label)).toEqual(["help@example.com", "line.me/ti/p/course"]);
  expect(footer).toEqual({
    help: "https://example.com/help",
    paymentQuestions: "mailto:help@example.com",
    contact: "https://line.me/ti/p/course",
    terms: "https://example.com/terms",
  });
});

test("the label leaves out https in capitals too", () => {
  const contactUrl = "Https://line.me/ti/p/course";
  expect(contactsOf({ contactUrl })).toEqual([{ label: "line.me/ti/p/course", href: contactUrl }]);
});

test("only the beginning of an address is left out of its label", () => {
  const contactUrl = "http://example.com/?to=https://line.me";
  expect(contactsOf({ contactUrl })).toEqual([{ label: contactUrl, href: contactUrl }]);
});

test("an e-mail address cannot add fields to the mail", () => {
  expect(contactsOf({ contactEmail: "a?bcc=b&c@example.com" })[0]?.href).toBe("mailto:a%3Fbcc%3Db%26c@example.com");
});
