import { expect, test } from "vitest";
import { composeMail, type MailSite } from "./layout.ts";

const mailOf = (site: MailSite) =>
  composeMail({ site, to: "a@example.com", subject: "Hello", heading: "Hello", paragraphs: ["A line."] });

// CONTACT-1
test("a mail names every way to reach the operator, in text and in HTML", () => {
  const { text, html } = mailOf({
    name: "Course",
    contactEmail: "help&co@example.com",
    contactUrl: "https://chat.example/?a&b",
  });
  expect(text).toMatch(/Questions\? Write to help&co@example\.com or https:\/\/chat\.example\/\?a&b\n\n-- \nCourse\n$/);
  expect(html).toContain('<a href="mailto:help%26co@example.com"');
  expect(html).toContain(">help&#38;co@example.com</a> or <a");
  expect(html).toContain('<a href="https://chat.example/?a&#38;b"');
});

test("a mail of a site without addresses names nobody to ask", () => {
  const { text, html } = mailOf({ name: "Course" });
  expect(text + html).not.toContain("Questions?");
});
