import { expect, it } from "vitest";
import { signatureOf } from "./signature.ts";

const keyOf = (secret: string): Buffer => Buffer.from(secret, "base64");
/** The example of the libraries of Standard Webhooks. */
const key = keyOf("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
const event = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

// WEBHOOK-2
it("signs as the libraries of Standard Webhooks do", () => {
  expect(signatureOf(event, [key])).toBe(signature);
});

it("signs by each key, so that one can be changed for another", () => {
  const [first, second] = signatureOf(event, [keyOf("b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIg"), key]).split(" ");
  expect(first).toMatch(/^v1,.{43}=$/);
  expect(first).not.toBe(signature);
  expect(second).toBe(signature);
});
