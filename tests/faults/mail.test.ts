import { afterAll, it } from "vitest";
import { mailServer, type Mailserver } from "../support/mail-server.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { byForm } from "./form.ts";
import { siteUnderTraffic } from "./running-site.ts";

let server: Mailserver;
let line: TcpProxy;
let refusal: string | undefined;
afterAll(async () => {
  await line?.close();
  await server?.stop();
});
const mailsFor = (email: string) =>
  server.taken.filter(({ to }) => to.includes(email)).map(({ message }) => ({ subject: "", text: message }));
const { survives } = siteUnderTraffic({
  async environment() {
    server = await mailServer({ refuse: () => refusal });
    line = await startTcpProxy({ host: "127.0.0.1", port: server.port });
    return { SMTP_URL: `smtp://127.0.0.1:${line.port}` };
  },
  traffic: {
    mailsFor: async (email) => mailsFor(email),
  },
});

const lastsMs = byForm(3000, 15_000);

it("delivers the mails of an outage once the SMTP server is back", () =>
  survives({
    name: "SMTP server away",
    lastsMs,
    async begin() {
      await line.refuse();
      return () => line.restore();
    },
  }));

it("delivers the mails of an outage in which the SMTP server said nothing", () =>
  survives({
    name: "SMTP server hangs",
    lastsMs,
    async begin() {
      line.goDark();
      return () => line.restore();
    },
  }));

it("delivers the mails that the SMTP server put off", () =>
  survives({
    name: "SMTP server answers 451",
    lastsMs,
    async begin() {
      refusal = "4.3.2 Try again later";
      return () => {
        refusal = undefined;
      };
    },
  }));
