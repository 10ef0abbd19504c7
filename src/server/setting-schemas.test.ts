import { describe, expect, it } from "vitest";
import { mailServer, sender } from "./setting-schemas.ts";

// MAIL-7, RUN-5
describe("the mail server", () => {
  it.each(["smtp://127.0.0.1:25", "smtps://user:pass%3Fword@mail.example.com", "smtp://[::1]:2525"])("may be %s", (text) => {
    expect(mailServer().safeParse(text)).toMatchObject({ success: true, data: text });
  });

  it.each(["/?requireTLS=false", "?logger=true&debug=true", "?", "#tls", ":587/?pool=true"])(
    "may not have options that would count instead of the site's: %s",
    (options) => {
      const message = "must end with the host or the port, without ? and #. Of a password in it, write ? as %3F and # as %23";
      const { error } = mailServer().safeParse(`smtp://user:password@mail.example.com${options}`);
      expect(error?.issues).toMatchObject([{ message }]);
    },
  );
});

describe("the sender of mails", () => {
  it.each(["course@example.com", "Pipwright <course@example.com>", '"Pips, Inc." <course@example.com>'])(
    "may be %s",
    (text) => {
      expect(sender().safeParse(text)).toMatchObject({ success: true, data: text });
    },
  );

  it.each(["nonsense", "Pipwright", "Pipwright <nonsense>", "a@example.com, b@example.com", "Friends: a@example.com;", "<>"])(
    "may not be %s",
    (text) => {
      const message = `must be one address such as Pipwright <course@example.com>, not "${text}"`;
      expect(sender().safeParse(text).error?.issues).toMatchObject([{ message }]);
    },
  );
});
