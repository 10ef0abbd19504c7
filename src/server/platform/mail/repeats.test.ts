import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { startTcpProxy } from "../../../../tests/support/network/tcp-proxy.ts";
import {
  endAfterTest,
  failedTimes,
  lookAgain,
  mailRows,
  note,
  recipients,
  secondsUntilDue,
  siteWith,
  started,
} from "../../../../tests/support/mails/outbox.ts";
import { soon } from "../../../../tests/support/soon.ts";
import type { Connection } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { requeue } from "./failure-queries.ts";
import { retryDelaySeconds } from "./outbox.ts";
import * as queries from "./queries.ts";

const to = "ann@example.com";

/** Returns the address of a server that says this and closes. */
async function hangingUp(greeting: string): Promise<string> {
  const server = createServer((socket) => socket.end(greeting)).listen(0, "127.0.0.1");
  endAfterTest(async () => void server.close());
  await once(server, "listening");
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

// MAIL-12
it("marks a mail that arrived though the line was lost before the reply", async () => {
  let losesReply = true;
  const server = await started({
    async hold() {
      if (losesReply) line.cut();
      losesReply = false;
    },
  });
  const line = await startTcpProxy({ host: "127.0.0.1", port: server.port });
  endAfterTest(() => line.close());
  const site = await siteWith(`smtp://127.0.0.1:${line.port}`);
  await site.mailer.enqueue(site.deps.db, note(to));
  expect(await failedTimes(site, to, 1)).toMatchObject({ may_repeat: true });
  await soon(() => {
    // The server counts as away until the next probe.
    site.clock.advance(6);
    site.mailer.worker.wake();
    expect(recipients(server)).toEqual([to, to]);
  });
  const ids = server.taken.map(({ message }) => /^Message-ID: .*/im.exec(message)?.[0]);
  expect(ids[0]).toBe(ids[1]);
  await soon(async () => expect(await mailRows(site, to)).toMatchObject([{ sent_at: expect.any(Date), may_repeat: true }]));
});

// MAIL-10, MAIL-12
it("a mail whose line is lost each time waits by itself, and no other for it", async () => {
  const server = await started({ hold: async (recipient) => void (recipient === to && line.cut()) });
  const line = await startTcpProxy({ host: "127.0.0.1", port: server.port });
  endAfterTest(() => line.close());
  const site = await siteWith(`smtp://127.0.0.1:${line.port}`);
  await site.mailer.enqueue(site.deps.db, note(to));
  for (let attempts = 1; attempts <= 4; attempts += 1) {
    const wait = retryDelaySeconds(attempts, false);
    expect(secondsUntilDue(site, await failedTimes(site, to, attempts))).toBeGreaterThanOrEqual(wait);
    site.clock.advance(wait);
    await lookAgain(site);
  }
  await failedTimes(site, to, 5);
  await site.mailer.enqueue(site.deps.db, note("bob@example.com"));
  site.clock.advance(31);
  await lookAgain(site);
  await soon(async () => expect(await mailRows(site, "bob@example.com")).toMatchObject([{ sent_at: expect.any(Date) }]));
});

// MAIL-12
it("marks a mail whose process was killed while it had it", async () => {
  const server = await started();
  const site = await siteWith(server.url);
  await site.mailer.stop();
  await site.mailer.enqueue(site.deps.db, note(to));
  const now = site.clock.steady();
  const claim = () => queries.claimDue(site.deps.db, { now, leaseEnd: now }, []);
  expect(await claim()).toMatchObject({ attempts: 1, may_repeat: false });
  expect(await claim()).toMatchObject({ attempts: 2, may_repeat: true });
});

// MAIL-12
it("does not mark a mail that the server cannot have taken", async () => {
  const closing = await hangingUp("421 4.3.2 Closed\r\n");
  const silent = await hangingUp("");
  const refusing = await started({ refuseAt: { recipient: () => ({ code: 450, text: "Later" }) } });
  const untrusted = await started({ host: "127.0.0.2", hasTls: true });
  const losing = await started({
    refuseAt: {
      recipient() {
        line.cut();
        return undefined;
      },
    },
  });
  const line = await startTcpProxy({ host: "127.0.0.1", port: losing.port });
  endAfterTest(() => line.close());
  for (const url of ["smtp://127.0.0.1:9", closing, silent, refusing.url, untrusted.url, `smtp://127.0.0.1:${line.port}`]) {
    const site = await siteWith(url);
    await site.mailer.enqueue(site.deps.db, note(to));
    expect(await failedTimes(site, to, 1), url).toMatchObject({ may_repeat: false });
  }
});

// MAIL-12
it.each([
  ["does not mark a mail at whose stop the server had said nothing", false],
  ["marks a mail at whose stop the server had its text", true],
])("%s", async (_title, hasText) => {
  let hangs = false;
  const hang = (): Promise<never> => {
    hangs = true;
    return new Promise(() => {});
  };
  const taking = await started({ hold: hang });
  const mute = createServer(() => void hang()).listen(0, "127.0.0.1");
  endAfterTest(async () => void mute.close());
  await once(mute, "listening");
  const site = await siteWith(hasText ? taking.url : `smtp://127.0.0.1:${(mute.address() as AddressInfo).port}`);
  await site.mailer.enqueue(site.deps.db, note(to));
  await soon(() => expect(hangs).toBe(true));
  await site.mailer.stop();
  // A stop waits for this record for a second at most.
  const [row] = await soon(async () => {
    const rows = await mailRows(site, to);
    expect(rows).toMatchObject([{ last_error: "Cut off by a stop." }]);
    return rows;
  });
  expect(row).toMatchObject({ attempts: 1, sent_at: null, may_repeat: hasText });
});

// MAIL-12, REOPEN-4
it("does not count a mail as withdrawn that may have arrived", async () => {
  const site = await siteWith("smtp://127.0.0.1:9");
  await site.mailer.stop();
  const withdraw = (connection: Connection = site.deps.db) => queries.withdraw(connection, "a decision", "It was undone.");
  const withdrawAfter = async (attempt: {
    attempts?: number;
    failure_kind: string | null;
    may_repeat: boolean;
  }): Promise<boolean> => {
    await site.mailer.enqueue(site.deps.db, { ...note(to), replaceKey: "a decision" });
    await site.sql(
      "update mail_outbox set attempts = $3, failure_kind = $1, may_repeat = $2 where replace_key = 'a decision'",
      [attempt.failure_kind, attempt.may_repeat, attempt.attempts ?? 1],
    );
    return withdraw();
  };
  expect(await withdrawAfter({ failure_kind: "server", may_repeat: true })).toBe(false);
  // There is none any more.
  expect(await withdraw()).toBe(false);
  // Given up and sent again.
  expect(await withdrawAfter({ attempts: 0, failure_kind: null, may_repeat: true })).toBe(false);
  // On its way.
  expect(await withdrawAfter({ failure_kind: null, may_repeat: false })).toBe(false);
  await site.sql("update mail_outbox set replace_key = 'another', sealed_body = ''");
  expect(await withdrawAfter({ failure_kind: "server", may_repeat: false })).toBe(true);
  await site.mailer.enqueue(site.deps.db, { ...note(to), replaceKey: "a decision" });
  const claim = { text: "update mail_outbox set attempts = 1, attempted_at = now() where replace_key = 'a decision'" };
  expect(await behindTransaction(site, claim, () => transaction(site.deps.db, withdraw))).toBe(false);
});

// MAIL-4, MAIL-12
it("does not mark a mail that the admin sends again", async () => {
  let isRefusing = true;
  const noMailbox = { code: 550, text: "No such mailbox" };
  const server = await started({ refuseAt: { recipient: () => (isRefusing ? noMailbox : undefined) } });
  const site = await siteWith(server.url);
  await site.mailer.enqueue(site.deps.db, note(to));
  const [row] = await soon(async () => {
    const rows = await mailRows(site, to);
    expect(rows[0]?.failure_kind).toBe("mail");
    return rows;
  });
  isRefusing = false;
  await transaction(site.deps.db, (tx) => requeue(tx, row!.id, { now: site.clock.now(), dueAt: site.clock.steady() }));
  await soon(async () => expect(await mailRows(site, to)).toMatchObject([{ sent_at: expect.any(Date), may_repeat: false }]));
});
