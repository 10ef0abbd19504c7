import { expect, it } from "vitest";
import { smtpFailure } from "./failure.ts";

// MAIL-4
it("stores a reply without its control characters, of which PostgreSQL refuses NUL", () => {
  const reply = "550 5.1.1 no\0such\tuser";
  const refused = Object.assign(new Error(reply), { responseCode: 550, response: reply, command: "RCPT TO", permanent: true });
  expect(smtpFailure(refused, false, false)).toMatchObject({
    kind: "mail",
    isPermanent: true,
    reason: "550 5.1.1 no such user",
  });
});
