import { describe, expect, it } from "vitest";
import {
  endAfterTest,
  mailRows,
  note,
  recipients,
  secondsUntilDue,
  siteWith,
  started,
} from "../../../../tests/support/mails/outbox.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { secondsAfter } from "../clock.ts";
import * as queries from "./queries.ts";
import { startOutbox } from "./sender.ts";

const forever = new Promise<never>(() => {});

describe("an SMTP server that hangs on some mails", () => {
  it("sends other mails while some hang", async () => {
    const server = await started({ hold: (to) => (to?.startsWith("stall") ? forever : undefined) });
    const base = await siteWith("smtp://127.0.0.1:9");
    await base.mailer.stop();
    const { config: settings } = base.deps;
    const config = { ...settings, mail: { ...settings.mail, smtpUrl: server.url } };
    const mailer = startOutbox({ ...base.deps, config, log: () => {}, deadlineMs: 3000 });
    endAfterTest(() => mailer.stop());
    for (let index = 0; index < 6; index++) await mailer.enqueue(base.deps.db, note(`stall${index}@example.com`));
    for (let index = 0; index < 6; index++) await mailer.enqueue(base.deps.db, note(`quick${index}@example.com`));
    const quick = Array.from({ length: 6 }, (_, index) => `quick${index}@example.com`);
    const arrived = (): Set<string | undefined> => {
      // Several stalls in a row count as an outage until another mail passes.
      base.clock.advance(6);
      mailer.worker.wake();
      return new Set(recipients(server));
    };
    await expect.poll(arrived, { interval: 250 }).toEqual(new Set(quick));
    const stalled = await mailRows(base, "stall0@example.com");
    expect(stalled[0]!.attempts).toBeGreaterThan(0);
    expect(stalled).toMatchObject([{ sent_at: null, failed_at: null }]);
  });

  it("retries stalled mails after all others", async () => {
    const site = await siteWith("smtp://127.0.0.1:9");
    await site.mailer.stop();
    for (const to of ["stall@example.com", "fine@example.com"]) await site.mailer.enqueue(site.deps.db, note(to));
    await site.sql("update mail_outbox set attempts = 1, failure_kind = 'stalled' where recipient = 'stall@example.com'");
    const now = site.clock.steady();
    const claim = () => queries.claimDue(site.deps.db, { now, leaseEnd: secondsAfter(now, 300) }, []);
    expect([(await claim())?.recipient, (await claim())?.recipient]).toEqual(["fine@example.com", "stall@example.com"]);
    expect(await claim()).toBeUndefined();
  });

  it("stops while a mail hangs and leaves that mail due at once", async () => {
    const server = await started({ hold: () => forever });
    const site = await siteWith(server.url);
    await site.mailer.enqueue(site.deps.db, note("stall@example.com"));
    await soon(() => expect(site.mailer.worker.inFlight.size).toBe(1));
    await site.mailer.stop();
    // A stop waits for this record for a second at most.
    await soon(async () => {
      const [row] = await mailRows(site, "stall@example.com");
      expect(row).toMatchObject({ sent_at: null, attempts: 1 });
      expect(secondsUntilDue(site, row)).toBeLessThanOrEqual(0);
    });
  });
});
