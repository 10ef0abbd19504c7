import { expect, it } from "vitest";
import { optionalMailKinds, optionalMails } from "./mail-choices.ts";

// MAIL-8
it("mails news to buyers and reminders to everybody, until they choose", () => {
  expect(optionalMails).toEqual({
    news: { name: "News about the course", wantedByDefault: ["starter", "advanced"] },
    live_session_reminder: { name: "Reminders of live sessions", wantedByDefault: ["unpaid", "starter", "advanced"] },
  });
  expect(Object.keys(optionalMails)).toEqual(optionalMailKinds);
});
