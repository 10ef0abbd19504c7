// Over 250 lines: changes of every feature that wait for another one's locks, in one shop.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockSpaces } from "#server/platform/db/locks";
import type { TestApp } from "../support/app.ts";
import { behindTransaction } from "../support/database/behind-transaction.ts";
import { codeFor, mailsTo, recoveryTokenFor } from "../support/mails/received.ts";
import { pay, uploadScreenshot } from "../support/payments.ts";
import {
  admin,
  goodPassword,
  outcome,
  sessionIdOf,
  student,
  unverifiedStudent,
  visitor,
  type Person,
} from "../support/people.ts";
import { lesson } from "../support/course/start-course.ts";
import { letProofExpire } from "../support/second-factor.ts";
import { startShop } from "../support/shop.ts";
import { mp4Of, uploader } from "../support/uploads.ts";

/** A change that waits for another one's locks decides by what that other one has committed. */
let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const tierOf = async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.subscription_status;

describe("an approval that had to wait", () => {
  const approve = (id: string) => operator.call("POST", `/api/payment-requests/${id}/approve`);

  it("refuses an approval when the request was rejected meanwhile", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    const rejection = {
      text: `update payment_requests set status = 'rejected', decided_at = now(), decided_by = 'other@example.com',
        rejection_reason = 'No.' where id = $1`,
      values: [id],
    };
    const reply = await behindTransaction(app, rejection, () => approve(id));
    expect([reply.status, reply.body.error]).toEqual([409, "This payment request was already rejected by other@example.com."]);
    expect(await tierOf(buyer)).toBe("unpaid");
  });

  it("refuses an approval that would lower a tier set meanwhile", async () => {
    const buyer = await student(app);
    const { id } = (await pay(buyer)).body;
    const upgrade = { text: "update profiles set subscription_status = 'advanced' where id = $1", values: [buyer.id] };
    expect(outcome(await behindTransaction(app, upgrade, () => approve(id)))).toEqual([409, "downgrade_unconfirmed"]);
    expect(await tierOf(buyer)).toBe("advanced");
  });
});

describe("a change of a user that had to wait", () => {
  const upgrade = (id: string) => ({
    text: "update profiles set subscription_status = 'advanced' where id = $1",
    values: [id],
  });
  const audited = async (id: string): Promise<unknown[]> =>
    (await app.sql<{ details: unknown }>("select details from audit_log where subject_id = $1", [id])).map(
      ({ details }) => details,
    );

  it("records a tier set meanwhile as the previous one", async () => {
    const { id, email } = await student(app);
    const change = () => operator.call("PUT", "/functions/v1/admin-users", { userId: id, newRole: "starter" });
    expect((await behindTransaction(app, upgrade(id), change)).status).toBe(200);
    expect(await audited(id)).toEqual([{ email, before: "advanced", after: "starter" }]);
  });

  it("records a deleted student's tier that was set meanwhile", async () => {
    const { id } = await student(app);
    const removal = () => operator.call("DELETE", `/functions/v1/admin-users?userId=${id}`);
    expect((await behindTransaction(app, upgrade(id), removal)).status).toBe(200);
    expect(await audited(id)).toMatchObject([{ before: { tier: "advanced" } }]);
  });
});

describe("a verification that had to wait", () => {
  it("refuses the right code when the last try was used meanwhile", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    const code = await codeFor(app, someone.email);
    const lastTry = {
      text: `with account as (select id from accounts where id = $1 for update)
        update verification_codes set tries = 5 from account where user_id = account.id`,
      values: [someone.id],
    };
    const reply = await behindTransaction(app, lastTry, () => someone.call("POST", "/functions/v1/verify-email", { code }));
    expect(outcome(reply)).toEqual([400, "verification_code_invalid"]);
    expect((await someone.call("GET", "/api/me")).body.email_verified).toBe(false);
  });

  it("refuses the right code of an account that was deleted meanwhile", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    const code = await codeFor(app, someone.email);
    const deletion = { text: "delete from accounts where id = $1", values: [someone.id] };
    const reply = await behindTransaction(app, deletion, () => someone.call("POST", "/functions/v1/verify-email", { code }));
    expect(outcome(reply)).toEqual([400, "verification_code_invalid"]);
  });

  it("ends a sign-up for its address that was added meanwhile", async () => {
    const someone = await unverifiedStudent(app);
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    const code = await codeFor(app, someone.email);
    const signUp = {
      text: `with locked as materialized (select pg_advisory_xact_lock($1, hashtext($2)))
        insert into accounts (email, password_hash, created_at) select $2, 'x', now() from locked`,
      values: [lockSpaces.emailAddress, someone.email],
    };
    const reply = await behindTransaction(app, signUp, () => someone.call("POST", "/functions/v1/verify-email", { code }));
    expect(reply.status).toBe(200);
    expect(await app.sql("select id from accounts where email = $1", [someone.email])).toEqual([{ id: someone.id }]);
  });

  it("sends no second code when one was sent meanwhile", async () => {
    const someone = await unverifiedStudent(app);
    const other = {
      text: `with account as (select id, email from accounts where id = $1 for update)
        insert into verification_codes (user_id, email, code_hash, created_at, expires_at)
        select id, email, '', now(), now() + interval '10 minutes' from account`,
      values: [someone.id],
    };
    const reply = await behindTransaction(app, other, () => someone.call("POST", "/functions/v1/send-verification-email", {}));
    expect(outcome(reply)).toEqual([429, "code_resend_too_soon"]);
  });
});

describe("a code that had to wait", () => {
  it.each([
    ["was verified", "update accounts set email_verified_at = now() where id = $1", 409, "email_already_verified"],
    ["was deleted", "delete from accounts where id = $1", 401, "not_signed_in"],
  ])("is not sent to an account that %s meanwhile", async (_what, text, status, code) => {
    const someone = await unverifiedStudent(app);
    const send = () => someone.call("POST", "/functions/v1/send-verification-email", {});
    expect(outcome(await behindTransaction(app, { text, values: [someone.id] }, send))).toEqual([status, code]);
    expect(await mailsTo(app, someone.email)).toEqual([]);
  });
});

describe("a sign-up that had to wait", () => {
  it("is the one with its password that began meanwhile, beside an earlier one", async () => {
    const { email } = await unverifiedStudent(app);
    const password = "another long password";
    const signUp = (address: string) =>
      visitor(app).call("POST", "/auth/v1/signup", { email: address, password, data: { full_name: "Ann" } });
    const elsewhere = (await signUp(`elsewhere-${email}`)).body.user.id;
    const other = {
      text: `with turn as materialized (select pg_advisory_xact_lock(${lockSpaces.emailAddress}, hashtext($1))),
        account as (insert into accounts (email, password_hash, created_at)
          select $1, password_hash, now() from accounts, turn where id = $2 returning id)
        insert into profiles (id, email, full_name) select id, $1, 'Ann' from account`,
      values: [email, elsewhere],
    };
    expect((await behindTransaction(app, other, () => signUp(email))).status).toBe(200);
    expect(await app.sql("select 1 from accounts where email = $1", [email])).toHaveLength(2);
  });
});

describe("a session that had to wait", () => {
  const me = (someone: Person) => someone.call("GET", "/api/me");

  it("starts no session with a password that was changed meanwhile", async () => {
    const { id, email } = await student(app);
    const change = { text: "update accounts set password_hash = 'other' where id = $1", values: [id] };
    const signIn = () => visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password: goodPassword });
    expect(outcome(await behindTransaction(app, change, signIn))).toEqual([400, "invalid_credentials"]);
  });

  it("ends a session whose refresh token was used meanwhile", async () => {
    const someone = await student(app);
    const use = {
      text: `update refresh_tokens set used_at = $2::timestamptz - interval '1 minute'
        where session_id = (select id from sessions where account_id = $1)`,
      values: [someone.id, app.clock.now()],
    };
    const refresh = () =>
      visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: someone.refreshToken });
    expect(outcome(await behindTransaction(app, use, refresh))).toEqual([400, "refresh_token_not_found"]);
    expect((await me(someone)).status).toBe(401);
  });

  it("starts no session by a recovery link that was used meanwhile", async () => {
    const { email, id } = await student(app);
    await visitor(app).call("POST", "/auth/v1/recover", { email });
    const token = await recoveryTokenFor(app, email);
    const use = { text: "update password_recoveries set used_at = now() where account_id = $1", values: [id] };
    const redeem = () => visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash: token });
    expect(outcome(await behindTransaction(app, use, redeem))).toEqual([403, "otp_expired"]);
  });

  it("sets no password by a recovery that was used up meanwhile", async () => {
    const someone = await student(app);
    await letProofExpire(app, someone);
    await app.sql("update sessions set by_recovery = true where account_id = $1", [someone.id]);
    const use = { text: "update sessions set by_recovery = false where account_id = $1", values: [someone.id] };
    const change = () => someone.call("PUT", "/auth/v1/user", { password: "another fine password" });
    expect(outcome(await behindTransaction(app, use, change))).toEqual([403, "step_up_needed"]);
  });

  it("sets no password in a session that ended meanwhile", async () => {
    const someone = await student(app);
    const end = { text: "update sessions set revoked_at = now() where account_id = $1", values: [someone.id] };
    const change = () => someone.call("PUT", "/auth/v1/user", { password: "another fine password" });
    expect(outcome(await behindTransaction(app, end, change))).toEqual([401, "session_not_found"]);
    const { email } = someone;
    const old = await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password: goodPassword });
    expect(old.status).toBe(200);
  });
});

it("takes no payment from an account that was deleted meanwhile", async () => {
  const leaver = await student(app);
  const quote_id = (await leaver.call("POST", "/api/quotes", { package_type: "starter" })).body.id;
  const form = { quote_id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(leaver), consent: true };
  const submit = () => leaver.call("POST", "/api/payment-requests", form, { "idempotency-key": randomUUID() });
  const deletion = { text: "delete from accounts where id = $1", values: [leaver.id] };
  expect(outcome(await behindTransaction(app, deletion, submit))).toEqual([401, "not_signed_in"]);
});

it("takes no rest of a payment from an account that was deleted meanwhile", async () => {
  const leaver = await student(app);
  const { id } = (await pay(leaver)).body;
  await operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received: "0.01" });
  const form = { upload_id: await uploadScreenshot(leaver) };
  const send = () => leaver.call("POST", `/api/payment-requests/${id}/rest`, form, { "idempotency-key": randomUUID() });
  const deletion = { text: "delete from accounts where id = $1", values: [leaver.id] };
  expect(outcome(await behindTransaction(app, deletion, send))).toEqual([401, "not_signed_in"]);
});

it("takes no screenshot that was used for the rest of a payment meanwhile", async () => {
  const buyer = await student(app);
  const { id } = (await pay(buyer, { package_type: "advanced" })).body;
  const quote_id = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body.id;
  const form = { quote_id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(buyer), consent: true };
  const submit = () => buyer.call("POST", "/api/payment-requests", form, { "idempotency-key": randomUUID() });
  const rest = {
    text: `with screenshot as materialized (select id, name from stored_objects where id = $2 for update)
      insert into payment_request_parts
        (payment_request_id, amount_asked, wallet_address, screenshot_url, screenshot_object_id, idempotency_key, submitted_at)
      select $1, 1, 'bc1-address', name, id, 'key', now() from screenshot`,
    values: [id, form.upload_id],
  };
  expect(outcome(await behindTransaction(app, rest, submit))).toEqual([409, "upload_used"]);
});

// GUARD-4
describe("an end of all open quotes that had to wait", () => {
  const endQuotes = (someone: Person) => someone.call("POST", "/api/wallet-settings/void-quotes");

  it("locks the settings before the account, as a save does", async () => {
    const save = { text: "select 1 from wallet_settings for update" };
    const caller = { text: "select 1 from accounts where id = $1 for update", values: [operator.id] };
    expect((await behindTransaction(app, save, () => endQuotes(operator), caller)).status).toBe(200);
  });

  it("is refused in a session that ended meanwhile", async () => {
    const someone = await admin(app);
    const end = { text: "update sessions set revoked_at = now() where id = $1", values: [sessionIdOf(someone)] };
    expect((await behindTransaction(app, end, () => endQuotes(someone))).status).toBe(401);
  });
});

// GUARD-2
it.each([
  ["/api/coin-prices/bitcoin", "PUT", { usd: "45000" }],
  ["/api/coin-prices/fetch", "POST", undefined],
] as const)("no price is stored by %s in a session that an undo ended meanwhile", async (path, method, body) => {
  const someone = await admin(app);
  const undo = {
    text: `with settings as materialized (select 1 from wallet_settings for update)
      update sessions set revoked_at = now() from settings where id = $1`,
    values: [sessionIdOf(someone)],
  };
  const prices = () => app.sql("select bitcoin_price_usd, ethereum_price_usd from wallet_settings");
  const before = await prices();
  expect((await behindTransaction(app, undo, () => someone.call(method, path, body))).status).toBe(401);
  expect(await prices()).toEqual(before);
});

// PRICE-3, GUARD-1
it("compares a coin's price with the one that was saved meanwhile", async () => {
  app.deps.prices = { usdPrice: () => Promise.resolve("46000") };
  const save = (usd: number) => ({ text: "update wallet_settings set bitcoin_price_usd = $1", values: [usd] });
  const fetched = await behindTransaction(app, save(20_000), () => operator.call("POST", "/api/coin-prices/fetch"));
  expect(fetched.body.items[0]).toMatchObject({ coin: "bitcoin", before_usd: "20000", kept: "large_step" });
  const set = () => operator.call("PUT", "/api/coin-prices/bitcoin", { usd: "46000" });
  expect((await behindTransaction(app, save(44_000), set)).status).toBe(200);
  const [entry] = await app.sql("select details from audit_log order by id desc limit 1");
  expect(entry).toMatchObject({ details: { before: "44000", after: "46000" } });
});

it("does not resend a given-up mail that was dismissed meanwhile", async () => {
  const [mail] = await app.sql<{ id: string }>(
    `insert into mail_outbox (recipient, subject, sealed_body, created_at, attempts, failed_at, last_error)
     values ('gone@example.com', 'Hello', '', now(), 1, now(), '550') returning id`,
  );
  const dismissal = { text: "delete from mail_outbox where id = $1", values: [mail!.id] };
  const sendAgain = () => operator.call("POST", `/api/mail-failures/${mail!.id}/send-again`);
  expect(outcome(await behindTransaction(app, dismissal, sendAgain))).toEqual([404, "mail_failure_not_found"]);
});

it("refuses an upload when other uploads took the room meanwhile", async () => {
  const buyer = await student(app);
  const others = {
    text: `with turn as materialized (select pg_advisory_xact_lock_shared(${lockSpaces.newUpload}, hashtext($1::text)))
      insert into unfinished_uploads (id, owner_id, bucket, size, metadata, created_at)
      select gen_random_uuid(), $1::uuid, 'payment-screenshots', 200 * 1024 * 1024, '{}', now() from turn`,
    values: [buyer.id],
  };
  const reply = await behindTransaction(app, others, () => uploader(app, buyer).start("payment-screenshots", 1000));
  expect(outcome(reply)).toEqual([429, "uploads_unfinished"]);
});

it("refuses an upload when another one that takes the room was finished meanwhile", async () => {
  const buyer = await student(app);
  await app.sql(
    `insert into unfinished_uploads (id, owner_id, bucket, size, metadata, created_at)
     values (gen_random_uuid(), $1, 'payment-screenshots', 200 * 1024 * 1024, '{}', now())`,
    [buyer.id],
  );
  const finish = {
    text: `with turn as materialized (select pg_advisory_xact_lock_shared(${lockSpaces.newUpload}, hashtext($1::text))),
      other as (delete from unfinished_uploads where owner_id = $1::uuid returning *)
      insert into stored_objects (id, owner_id, bucket, name, filename, content_type, size, created_at)
      select other.id, owner_id, bucket, other.id || '.png', 'a.png', 'image/png', size, created_at from turn, other`,
    values: [buyer.id],
  };
  const reply = await behindTransaction(app, finish, () => uploader(app, buyer).start("payment-screenshots", 1000));
  expect(outcome(reply)).toEqual([429, "uploads_unfinished"]);
});

it("refuses an upload when its owner's account was deleted meanwhile", async () => {
  const leaver = await student(app);
  const deletion = {
    text: `with turn as materialized (select pg_advisory_xact_lock_shared(${lockSpaces.newUpload}, hashtext($1::text)))
      delete from accounts using turn where id = $1::uuid`,
    values: [leaver.id],
  };
  const reply = await behindTransaction(app, deletion, () => uploader(app, leaver).start("payment-screenshots", 1000));
  expect(outcome(reply)).toEqual([401, "not_signed_in"]);
});

it("gives a lesson the copy that has replaced its film meanwhile", async () => {
  const upload = () => uploader(app, operator).upload("course-videos", mp4Of(5000));
  const [film, copy] = [await upload(), await upload()];
  const replacement = {
    text: "update stored_objects set replaced_by = $2, replaced_at = now() where id = $1",
    values: [film, copy],
  };
  const add = () => operator.call("POST", "/api/videos", { ...lesson, upload_id: film });
  const { status, body } = await behindTransaction(app, replacement, add);
  const [video] = await app.sql("select object_id from videos where id = $1", [body.id]);
  expect([status, video]).toEqual([201, { object_id: copy }]);
});
