import { z } from "zod";
import { address, email, mailServer, onOff, secret, sender } from "./schemas.ts";
import type { Setting } from "./setting.ts";

export const admin = {
  email: {
    name: "ADMIN_EMAIL",
    isSecret: false,
    schema: email(),
    fallback: "admin@example.com",
    description: "The one admin's address. Must be set in production.",
  },
  password: {
    name: "ADMIN_PASSWORD",
    isSecret: true,
    schema: secret(8),
    example: "",
    description: "The admin's first password, not easy to guess. Without it, a random one is printed once.",
  },
} satisfies Record<string, Setting>;

export const site = {
  name: {
    name: "SITE_NAME",
    isSecret: false,
    schema: z.string().regex(/^[^<>\r\n]{1,60}$/, "must be one line of at most 60 characters without < and >"),
    fallback: "Pipwright",
    description: "The name in titles, headers and mails.",
  },
  contactEmail: {
    name: "CONTACT_EMAIL",
    isSecret: false,
    schema: email(),
    example: "help@example.com",
    description: "Where students write to: shown on the pages, below errors, in mails and on receipts.",
  },
  contactUrl: {
    name: "CONTACT_URL",
    isSecret: false,
    schema: address("https", "tg", "line", "whatsapp"),
    example: "https://line.me/ti/p/your-name",
    description: "A chat or a page where students reach you, shown beside CONTACT_EMAIL.",
  },
  termsUrl: {
    name: "TERMS_URL",
    isSecret: false,
    schema: address("https", "http"),
    example: "https://example.com/terms",
    description:
      "Your terms, linked in the footer. The links of this and the next three settings are inert until they are set.",
  },
  privacyUrl: {
    name: "PRIVACY_URL",
    isSecret: false,
    schema: address("https", "http"),
    example: "https://example.com/privacy",
    description: "Your privacy policy.",
  },
  imprintUrl: {
    name: "IMPRINT_URL",
    isSecret: false,
    schema: address("https", "http"),
    example: "https://example.com/imprint",
    description: "Your imprint.",
  },
  helpUrl: {
    name: "HELP_URL",
    isSecret: false,
    schema: address("https", "http"),
    example: "https://example.com/help",
    description: "Your help pages.",
  },
} satisfies Record<string, Setting>;

export const mail = {
  smtpUrl: {
    name: "SMTP_URL",
    isSecret: true,
    schema: mailServer(),
    example: "smtps://user:password@mail.example.com",
    description:
      "Your mail server, without options behind a `?`. Without it, mails go to the page `/mailbox` and to the console.",
  },
  tls: {
    name: "SMTP_TLS",
    isSecret: false,
    schema: onOff(),
    fallback: "on",
    description:
      "`on` sends mails only over TLS, unless the mail server is on this machine. `off` also sends to a server without STARTTLS or a valid certificate.",
  },
  mailboxToken: {
    name: "MAILBOX_TOKEN",
    isSecret: true,
    schema: secret(),
    example: "",
    description: "The token that opens `/mailbox`. Without it, each start draws a random one and prints the whole link.",
  },
  from: {
    name: "MAIL_FROM",
    isSecret: false,
    schema: sender(),
    fallback: "Pipwright <course@example.com>",
    description: "Sender of the mails.",
  },
} satisfies Record<string, Setting>;
