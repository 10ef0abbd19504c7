import { describe, expect, it } from "vitest";
import { startApp } from "../../../../../tests/support/app.ts";
import { endAfterTest, failedTimes, lookAgain, note, siteWith, started } from "../../../../../tests/support/mails/outbox.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { startOutbox, type Mailer } from "../sender.ts";

/** Stands for another machine: it is reached without a network, but is not one of the names of this one. */
const elsewhere = "127.0.0.2";
const to = "ann@example.com";

// MAIL-7.
describe("a mail server elsewhere", () => {
  it("sends no mail to a server without STARTTLS, and logs the setting once", async () => {
    const server = await started({ host: elsewhere });
    const base = await startApp({ environment: { SMTP_URL: server.url } });
    endAfterTest(() => base.close());
    await (base.deps.outbox as Mailer).stop();
    const lines: string[] = [];
    const mailer = startOutbox({ ...base.deps, log: (line) => lines.push(line) });
    endAfterTest(() => mailer.stop());
    const site = Object.assign(base, { mailer });
    await mailer.enqueue(base.deps.db, note(to));
    expect(await failedTimes(base, to, 1)).toMatchObject({ sent_at: null, failed_at: null, failure_kind: "server" });
    for (const attempt of [2, 3]) {
      base.clock.advance(60);
      await lookAgain(site);
      await failedTimes(base, to, attempt);
    }
    expect(server.taken).toEqual([]);
    expect(lines).toEqual([expect.stringMatching(/^Mails wait, because .*does not offer TLS .*SMTP_TLS=off/)]);
  });

  it("sends no mail to a server with an untrusted certificate", async () => {
    for (const behaviour of [{ hasTls: true }, { isSmtps: true }]) {
      const server = await started({ host: elsewhere, ...behaviour });
      const site = await siteWith(server.url);
      await site.mailer.enqueue(site.deps.db, note(to));
      expect(await failedTimes(site, to, 1)).toMatchObject({ last_error: expect.stringContaining("certificate") });
      expect(server.taken).toEqual([]);
    }
  });

  it("sends mails over TLS to a server that offers STARTTLS", async () => {
    const server = await started({ host: elsewhere, hasTls: true });
    const { deps, mailer: strict } = await siteWith(server.url);
    await strict.stop();
    // Stands for a certificate that is trusted. No setting has such options.
    const mail = { ...deps.config.mail, smtpUrl: `${server.url}?tls.rejectUnauthorized=false` };
    const mailer = startOutbox({ ...deps, config: { ...deps.config, mail } });
    endAfterTest(() => mailer.stop());
    await mailer.enqueue(deps.db, note(to));
    await soon(() => expect(server.taken).toMatchObject([{ to: [to], isEncrypted: true }]));
  });

  it.each([true, false])("sends mails with SMTP_TLS=off, over TLS where offered: %s", async (hasTls) => {
    const server = await started({ host: elsewhere, hasTls });
    const site = await siteWith(server.url, { environment: { SMTP_TLS: "off" } });
    await site.mailer.enqueue(site.deps.db, note(to));
    await soon(() => expect(server.taken).toMatchObject([{ to: [to], isEncrypted: hasTls }]));
  });
});

it.each([true, false])("sends to a mail server on this machine, over TLS where offered: %s", async (hasTls) => {
  const server = await started({ hasTls });
  const site = await siteWith(server.url);
  await site.mailer.enqueue(site.deps.db, note(to));
  await soon(() => expect(server.taken).toMatchObject([{ to: [to], isEncrypted: hasTls }]));
});

// MAIL-7
it.each([
  ["on this machine", "127.0.0.1", "on"],
  ["with SMTP_TLS=off", elsewhere, "off"],
])("sends to an smtps:// address with an untrusted certificate %s", async (_where, host, SMTP_TLS) => {
  const server = await started({ host, isSmtps: true });
  const site = await siteWith(server.url, { environment: { SMTP_TLS } });
  await site.mailer.enqueue(site.deps.db, note(to));
  await soon(() => expect(server.taken).toMatchObject([{ to: [to], isEncrypted: true }]));
});
