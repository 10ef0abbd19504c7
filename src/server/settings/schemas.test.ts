import { describe, expect, it } from "vitest";
import { address, fetched, mailServer, sender } from "./schemas.ts";

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

// Without its slashes and host a browser takes an address for a page of this site.
describe("an address", () => {
  it.each(["https://example.com/terms", "HTTPS://Example.com", "tg://resolve?domain=pips", "https://example.com:8443"])(
    "may be %s",
    (text) => {
      expect(address("https", "tg").safeParse(text)).toMatchObject({ success: true, data: text });
    },
  );

  it.each([
    "https:example.com/terms",
    "https:/example.com",
    "https:///terms",
    "tg:resolve",
    "tg://",
    "tg:///x",
    "http://x.example",
  ])("may not be %s", (text) => {
    const message = "must be an address that starts with https:// or tg://";
    expect(address("https", "tg").safeParse(text).error?.issues[0]).toMatchObject({ message });
  });

  it.each(["smtp:mail.example.com", "smtp://", "smtp://user:password@", "smtp://:25"])(
    "of a mail server may not be %s",
    (text) => {
      const message = "must be an address that starts with smtp:// or smtps://";
      expect(mailServer().safeParse(text).error?.issues[0]).toMatchObject({ message });
    },
  );
});

describe("the address of a service that is fetched", () => {
  const service = fetched(address("http", "https"));
  const faultOf = (text: string): string | undefined => service.safeParse(text).error?.issues[0]?.message;

  it("has no port that fetch refuses, and may have every other one", async () => {
    const urls = Array.from({ length: 10_100 }, (_none, index) => `http://127.0.0.1:${index + 1}/`);
    const notConnected = new Error("not connected");
    const dispatch = (): never => {
      throw notConnected;
    };
    const refusedByFetch: string[] = [];
    for (const url of urls) {
      const refusal = fetch(url, { dispatcher: { dispatch } } as unknown as RequestInit);
      const cause: unknown = await refusal.then(
        () => undefined,
        (error: Error) => error.cause,
      );
      if (cause !== notConnected) refusedByFetch.push(url);
    }
    expect(urls.filter((url) => faultOf(url) !== undefined)).toEqual(refusedByFetch);
  });

  it.each([
    ["https://hooks.example.com:6000/", "must have another port, since Node.js does not fetch from this one"],
    ["hooks.example.com:6000", "must be an address that starts with http:// or https://"],
  ])("is refused with its fault: %s", (text, fault) => expect(faultOf(text)).toBe(fault));
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
