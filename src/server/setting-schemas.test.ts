import { describe, expect, it } from "vitest";
import { sender } from "./setting-schemas.ts";

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
