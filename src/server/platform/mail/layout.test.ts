import { expect, test } from "vitest";
import { composeMail, type ChoiceLinks, type MailSite } from "./layout.ts";

const mailOf = (site: MailSite, choices?: ChoiceLinks) =>
  composeMail({
    site,
    to: "a@example.com",
    subject: "Hello",
    heading: "Hello",
    paragraphs: ["A line."],
    ...(choices && { choices }),
  });

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

test("a mail of a site without contact addresses has no contact line", () => {
  const { text, html } = mailOf({ name: "Course" });
  expect(text + html).not.toContain("Questions?");
});

// MAIL-9
test("an optional mail names its kind, the choices and where to unsubscribe", () => {
  const choices: ChoiceLinks = {
    accountId: "7c1e1f0e-6f0b-4e52-9a55-0d3c5a9b7f11",
    kind: "news",
    name: "News & more",
    chooseUrl: "https://a.example/account#mails",
    unsubscribeUrl: "https://a.example/u?t=1&k",
  };
  const mail = mailOf({ name: "Course" }, choices);
  expect(mail.text).toContain(
    "because “News & more” is on for your account.\nChoose your mails: https://a.example/account#mails\nUnsubscribe: https://a.example/u?t=1&k\n",
  );
  expect(mail.html).toContain("“News &#38; more”");
  expect(mail.html).toContain('<a href="https://a.example/u?t=1&#38;k"');
  expect(mail.unsubscribeUrl).toBe("https://a.example/u?t=1&k");
  expect(mail.choice).toEqual({ accountId: choices.accountId, kind: "news" });
});

test("a necessary mail offers no way to turn it off", () => {
  const mail = mailOf({ name: "Course" });
  expect(mail.text + mail.html).not.toContain("nsubscribe");
  expect(mail.unsubscribeUrl).toBeUndefined();
});
