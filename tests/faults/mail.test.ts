import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, it } from "vitest";
import { mailServer, type Mailserver, type Refusal } from "../support/mails/mail-server.ts";
import { startTcpProxy, type TcpProxy } from "../support/network/tcp-proxy.ts";
import { byForm } from "./form.ts";
import { siteUnderTraffic } from "./running-site.ts";

let server: Mailserver;
let line: TcpProxy;
let relay: ChildProcess;
let refusal: string | undefined;
let closing: Refusal | undefined;
let badSender: Refusal | undefined;
afterAll(async () => {
  await line?.close();
  relay?.kill("SIGKILL");
  await server?.stop();
});

/** A proxy process in front of this process's mail server, which a signal can suspend. */
async function startRelay(port: number): Promise<number> {
  const code = `const { connect, createServer } = require("node:net");
    const server = createServer((client) => {
      const upstream = connect(${port}, "127.0.0.1");
      for (const [from, to] of [[client, upstream], [upstream, client]]) from.pipe(to).on("error", () => from.destroy());
    }).listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  relay = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const [address] = (await once(relay.stdout!, "data")) as [Buffer];
  return Number(address);
}

const mailsFor = (email: string) =>
  server.taken.filter(({ to }) => to.includes(email)).map(({ message }) => ({ subject: "", text: message }));
const { survives } = siteUnderTraffic({
  async environment() {
    server = await mailServer({
      refuse: () => refusal,
      refuseAt: { connect: () => closing, sender: () => badSender },
    });
    line = await startTcpProxy({ host: "127.0.0.1", port: await startRelay(server.port) });
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

it("delivers the mails that the SMTP server refused for good because of this site", () =>
  survives({
    name: "SMTP server answers 554",
    lastsMs,
    async begin() {
      closing = { code: 554, text: "5.7.1 Your address is on a list" };
      return () => {
        closing = undefined;
      };
    },
  }));

it("delivers the mails whose sender the SMTP server refused for good", () =>
  survives({
    name: "SMTP server answers 550 to the sender",
    lastsMs,
    async begin() {
      badSender = { code: 550, text: "5.7.1 Sender not allowed" };
      return () => {
        badSender = undefined;
      };
    },
  }));

it("delivers mails queued while the SMTP server was suspended", () =>
  survives({
    name: "SMTP server stopped (SIGSTOP)",
    lastsMs,
    async begin() {
      relay.kill("SIGSTOP");
      return () => void relay.kill("SIGCONT");
    },
  }));
