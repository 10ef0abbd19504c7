import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEsplora } from "../../../../../tests/support/chains/esplora.ts";
import { chainEvidenceOf, lookUpDue } from "../../../../../tests/support/chains/jobs.ts";
import { decisions } from "../../../../../tests/support/payment-requests/decisions.ts";
import { endAfterTest, idle, mailRows, siteWith, started } from "../../../../../tests/support/mails/outbox.ts";
import { pay, setUpWallets, walletForm } from "../../../../../tests/support/payments.ts";
import { admin, student } from "../../../../../tests/support/people.ts";
import { partialPayments } from "../../../../../tests/support/payment-requests/partial-payments.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { soon } from "../../../../../tests/support/soon.ts";

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop?.app.close());

/** A shop whose mails wait for `hold` at the SMTP server, with a student whose request is pending and mailed about. */
async function mailingShop(behaviour: Parameters<typeof started>[0]) {
  const server = await started(behaviour);
  const site = await siteWith(server.url);
  const operator = await admin(site);
  await setUpWallets(operator);
  const buyer = await student(site);
  const calls = decisions(site, operator);
  const id = await calls.request(buyer);
  await soon(() => expect(server.taken.filter(({ to }) => to[0] === buyer.email).length).toBe(1));
  // The admin's mail has gone too, and is not the one that `hold` holds.
  await soon(async () => expect(await site.sql("select 1 from mail_outbox where next_attempt_at is not null")).toEqual([]));
  await idle(site);
  const subjects = (): string[] =>
    server.taken.filter(({ to }) => to[0] === buyer.email).map(({ message }) => /^Subject: (.*)$/m.exec(message)?.[1] ?? "");
  return { site, operator, calls, buyer, id, subjects };
}

// REOPEN-4
describe("the mail about an undone decision", () => {
  it("is not sent, nor the decision's own, where that one still waits", async () => {
    let isDown = false;
    const { site, calls, buyer, id, subjects } = await mailingShop({
      refuseAt: { connect: () => (isDown ? { code: 421, text: "Closed" } : undefined) },
    });
    isDown = true;
    await calls.approve(id);
    await soon(async () => expect((await mailRows(site, buyer.email)).at(-1)?.failure_kind).toBe("server"));
    await calls.reopen(id);
    isDown = false;
    expect((await mailRows(site, buyer.email)).at(-1)).toMatchObject({
      sent_at: null,
      next_attempt_at: null,
      sealed_body: null,
      last_error: "Not sent, because the decision was undone.",
    });
    await calls.reject(id);
    site.clock.advance(60);
    site.mailer.worker.wake();
    await soon(() => expect(subjects().at(-1)).toContain("was not approved"));
    expect(subjects().length).toBe(2);
  });

  it("is sent where the decision's own may have arrived", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    let isHeld = false;
    const { site, calls, id, subjects } = await mailingShop({ hold: () => (isHeld ? held : undefined) });
    endAfterTest(async () => release());
    isHeld = true;
    await calls.approve(id);
    await soon(() => expect(site.mailer.worker.inFlight.size).toBeGreaterThan(0));
    await calls.reopen(id);
    release();
    await soon(() => expect(subjects().at(-1)).toContain("is under review again"));
    expect(subjects().at(-2)).toContain("is unlocked");
  });
});

// PART-4
describe("the mail that asks for the rest", () => {
  /** A shop whose mail server goes down `before` or `after` the rest is asked for, until `repair`. */
  async function askedShop(goesDown: "before" | "after" = "before") {
    let isDown = false;
    const mailing = await mailingShop({ refuseAt: { connect: () => (isDown ? { code: 421, text: "Closed" } : undefined) } });
    const { site, operator, buyer, id, subjects } = mailing;
    const parts = partialPayments(site, operator);
    isDown = goesDown === "before";
    expect((await parts.ask(id, "0.001")).status).toBe(200);
    const untilTried = () => soon(async () => expect((await mailRows(site, buyer.email)).at(-1)?.failure_kind).toBe("server"));
    if (isDown) await untilTried();
    else await soon(() => expect(subjects().at(-1)).toContain("Part of your payment"));
    isDown = true;
    const repair = async (): Promise<void> => {
      isDown = false;
      site.clock.advance(60);
      site.mailer.worker.wake();
      await soon(async () => {
        expect((await mailRows(site, buyer.email)).filter(({ next_attempt_at }) => next_attempt_at !== null)).toEqual([]);
      });
    };
    return { ...mailing, parts, untilTried, repair };
  }

  it.each([
    ["approve", "is unlocked"],
    ["reject", "was not approved"],
  ] as const)("is not sent after a decision to %s", async (decision, mail) => {
    const { calls, id, subjects, repair } = await askedShop();
    expect((await calls[decision](id)).status).toBe(200);
    await repair();
    expect(subjects().slice(1)).toEqual([expect.stringContaining(mail)]);
  });

  type Asked = Awaited<ReturnType<typeof askedShop>>;
  /** Why mails to the student were not sent. */
  const unsent = async ({ site, buyer }: Asked) =>
    (await mailRows(site, buyer.email)).filter(({ sent_at }) => sent_at === null).map(({ last_error }) => last_error);
  const approveAdvanced = async ({ calls, buyer }: Asked) => {
    const id = await calls.request(buyer, { package_type: "advanced" });
    expect((await calls.approve(id)).status).toBe(200);
    return id;
  };

  // PART-3, DECIDE-7
  it.each<[string, (asked: Asked) => Promise<unknown>]>([
    ["the tier was set", ({ calls, buyer }) => calls.setTier(buyer, "starter")],
    [
      "the package was given for free",
      ({ operator, buyer }) =>
        operator.call("POST", `/api/users/${buyer.id}/grant`, { package_type: "starter", reason: "A gift" }),
    ],
    ["a better package was approved", approveAdvanced],
    ["the account was deleted", ({ calls, buyer }) => calls.remove(buyer)],
  ])("is not sent after %s", async (_name, settle) => {
    const asked = await askedShop();
    await settle(asked);
    await asked.repair();
    expect(asked.subjects()).not.toContainEqual(expect.stringContaining("Part of your payment"));
  });

  it.each<[string, (asked: Asked) => Promise<unknown>]>([
    [
      "a tier is set back",
      async ({ calls, buyer }) => {
        await calls.setTier(buyer, "starter");
        await calls.setTier(buyer, "unpaid");
      },
    ],
    ["the approval of a better package is undone", async (asked) => asked.calls.reopen(await approveAdvanced(asked))],
    ["a tier is set that leaves it owed", ({ calls, buyer }) => calls.setTier(buyer, "unpaid")],
  ])("is sent once where %s", async (_name, change) => {
    const asked = await askedShop();
    await change(asked);
    await asked.repair();
    expect(asked.subjects().filter((subject) => subject.includes("Part of your payment"))).toHaveLength(1);
  });

  it("is not sent again where the tier is set back after it arrived", async () => {
    const { calls, buyer, subjects, repair } = await askedShop("after");
    await calls.setTier(buyer, "starter");
    await calls.setTier(buyer, "unpaid");
    await repair();
    expect(subjects().slice(1)).toEqual([expect.stringContaining("Part of your payment")]);
  });

  it("is not sent after the rest was sent", async () => {
    const asked = await askedShop();
    expect((await asked.parts.sendRest(asked.buyer, asked.id)).status).toBe(201);
    await asked.repair();
    expect(asked.subjects().slice(1)).toEqual([]);
    expect(await unsent(asked)).toEqual(["Not sent, because the rest was sent."]);
  });

  // REOPEN-4
  it.each(["before", "after"] as const)(
    "is sent once, by a server down %s it, where a decision is undone",
    async (goesDown) => {
      const { calls, id, subjects, untilTried, repair } = await askedShop(goesDown);
      await calls.approve(id);
      if (goesDown === "after") await untilTried();
      expect((await calls.reopen(id)).status).toBe(200);
      await repair();
      expect(subjects().slice(1)).toEqual([expect.stringContaining("Part of your payment")]);
    },
  );
});

// REOPEN-1
describe("a reopened request", () => {
  it("asks for the rest again, and takes it", async () => {
    const parts = partialPayments(shop.app, shop.operator);
    const { buyer, id } = await parts.asked();
    const before = await parts.rowOf(id);
    await parts.approve(id, { amount_received: "10468.50" });
    await decisions(shop.app, shop.operator).reopen(id);
    expect(await parts.rowOf(id)).toEqual(before);
    expect((await parts.mine(buyer)).rest).not.toBeNull();
    expect((await parts.sendRest(buyer, id)).status).toBe(201);
  });

  it("drops what a rejection stated as received", async () => {
    const calls = decisions(shop.app, shop.operator);
    const id = await calls.request(await student(shop.app));
    const reject = { reason: "Half.", amount_received: "0.005" };
    await shop.operator.call("POST", `/api/payment-requests/${id}/reject`, reject);
    expect((await calls.reopen(id)).body).toMatchObject({ amount_received: null, amount_owed: null });
  });

  it("celebrates another approval once more", async () => {
    const calls = decisions(shop.app, shop.operator);
    const buyer = await student(shop.app);
    const id = await calls.request(buyer);
    await calls.approve(id);
    expect((await buyer.call("POST", `/api/payment-requests/${id}/seen`)).status).toBe(200);
    await calls.reopen(id);
    expect((await buyer.call("POST", `/api/payment-requests/${id}/seen`)).status).toBe(404);
    expect((await calls.approve(id)).body.approval_seen_at).toBeNull();
  });

  // REOPEN-5
  it("is looked up on its chain again", async () => {
    const esplora = await startEsplora();
    const { app, operator } = await startShop({ environment: { BITCOIN_API_URL: esplora.url } });
    try {
      const calls = decisions(app, operator);
      const reference = esplora.pay(walletForm.bitcoin_address, "0.01104444");
      const id = (await pay(await student(app), { extra: { reference } })).body.id;
      await calls.reject(id);
      expect(await lookUpDue(app)).toEqual([]);
      expect((await chainEvidenceOf(operator, id)).verdict).toBe("unavailable");
      await calls.reopen(id);
      expect(await lookUpDue(app)).toEqual([]);
      expect((await chainEvidenceOf(operator, id)).verdict).toBe("unconfirmed");
    } finally {
      await app.close();
      await esplora.stop();
    }
  });

  // REOPEN-3, DECIDE-4
  it("gets a receipt number of the new year when it is approved again then", async () => {
    const id = await decisions(shop.app, shop.operator).request(await student(shop.app));
    const first = (await decisions(shop.app, shop.operator).approve(id)).body.receipt_number;
    const next = shop.app.clock.now().getUTCFullYear() + 1;
    shop.app.clock.advance((Date.UTC(next, 0, 2) - shop.app.clock.now().getTime()) / 1000);
    const calls = decisions(shop.app, await admin(shop.app));
    await calls.reopen(id);
    expect((await calls.approve(id)).body.receipt_number).toBe(`${next}-00001`);
    const cancelled = await shop.app.sql("select receipt_number from cancelled_receipts where request_id = $1", [id]);
    expect(cancelled).toEqual([{ receipt_number: first }]);
  });
});
