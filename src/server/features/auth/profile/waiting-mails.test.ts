import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { codeFor, mailsTo } from "../../../../../tests/support/mails/received.ts";
import { pay, setUpWallets } from "../../../../../tests/support/payments.ts";
import { admin, signIn, student, visitor, type Person } from "../../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  // Nobody listens there, so that every mail waits with its text.
  app = await startApp({ environment: { SMTP_URL: "smtp://127.0.0.1:1" } });
  operator = await admin(app);
  await setUpWallets(operator);
});
afterAll(() => app?.close());

const subjectsTo = async (address: string) => (await mailsTo(app, address)).map(({ subject }) => subject).toSorted();

/** Gives a student another address by the code that was mailed there. */
async function move(someone: Person, email: string): Promise<Person> {
  expect((await someone.call("PUT", "/auth/v1/user", { email })).status).toBe(200);
  const token = await codeFor(app, email);
  const confirmed = await visitor(app).call("POST", "/auth/v1/verify", { type: "email_change", email, token });
  expect(confirmed.status).toBe(200);
  return signIn(app, email, someone.password);
}

const ofPayment = ["We received your payment request for Starter", "Your Starter package is unlocked"];
const code = "Confirm your new email address for Pipwright";
const notices = [
  "A new email address was requested for your Pipwright account",
  "The email address of your Pipwright account was changed",
];

// OWN-3
it("sends mails about a payment that wait to the present address, and no notice", async () => {
  const buyer = await student(app);
  const { body } = await pay(buyer);
  await operator.call("POST", `/api/payment-requests/${body.id}/approve`);
  expect(await subjectsTo(buyer.email)).toEqual(ofPayment);
  const [first, second] = [`first-${buyer.email}`, `second-${buyer.email}`];

  const moved = await move(buyer, first);
  expect(await subjectsTo(buyer.email)).toEqual(notices);
  expect(await subjectsTo(first)).toEqual([code, ...ofPayment]);

  await move(moved, second);
  expect(await subjectsTo(buyer.email)).toEqual(notices);
  expect(await subjectsTo(first)).toEqual(notices);
  expect(await subjectsTo(second)).toEqual([code, ...ofPayment]);
});

it("sends a free package's mail that waits to the present address", async () => {
  const friend = await student(app);
  await operator.call("POST", `/api/users/${friend.id}/grant`, { package_type: "advanced", reason: "A friend." });
  const address = `moved-${friend.email}`;
  await move(friend, address);
  expect(await subjectsTo(address)).toEqual([code, "Your Advanced package is unlocked"]);
});

it("leaves them at the old address when the change is undone", async () => {
  const buyer = await student(app);
  await pay(buyer);
  await buyer.call("PUT", "/auth/v1/user", { email: `moved-${buyer.email}` });
  await buyer.call("PUT", "/auth/v1/user", { email: buyer.email });
  expect(await subjectsTo(buyer.email)).toEqual([notices[0], ofPayment[0]]);
});
