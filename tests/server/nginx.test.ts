import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from "node:http";
import { request, type RequestOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { siteLinksOf } from "#domain/site-links";
import { registerWebApp } from "#server/platform/http/pages/web-app";
import { startApp, type TestApp } from "../support/app.ts";
import { writeBuiltWeb } from "../support/contract/built-web.ts";
import { fixedPort } from "../support/network/fixed-port.ts";
import { hasNginx } from "../support/network/nginx.ts";
import { student } from "../support/people.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pipwright-nginx-"));
  const certificate = ["-keyout", "privkey.pem", "-out", "fullchain.pem", "-subj", "/CN=course.example.com", "-days", "1"];
  if (hasNginx)
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...certificate], {
      cwd: folder,
      stdio: "ignore",
    });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ports {
  plain: number;
  tls: number;
}

/** Starts nginx in front of processes on these ports, with the file of `deploy`; only ports and certificate differ, and buffers are as with pages of 64 kB. */
async function startNginx(...processes: number[]): Promise<Ports> {
  const ports = { plain: await fixedPort(), tls: await fixedPort() };
  const own = readFileSync("deploy/nginx/pipwright.conf", "utf8")
    .replaceAll(/^ *listen \[::\].*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${ports.plain};`)
    .replace("listen 443 ", `listen 127.0.0.1:${ports.tls} `)
    .replace(/^ *server 127\.0\.0\.1:3000.*\n/m, (line) => processes.map((port) => line.replace("3000", String(port))).join(""))
    .replaceAll(/\/etc\/letsencrypt\/live\/course\.example\.com|\/var\/log\/nginx/g, folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const file = join(folder, `${ports.tls}.conf`);
  writeFileSync(
    file,
    `daemon off; pid ${folder}/${ports.tls}.pid; events {} http { access_log off; proxy_buffers 8 64k; ${temporary.join(" ")}\n${own}\n}`,
  );
  const nginx: ChildProcess = spawn("nginx", ["-p", folder, "-c", file, "-e", "stderr"], { stdio: "ignore" });
  onTestFinished(async () => {
    nginx.kill();
    if (nginx.exitCode === null) await once(nginx, "exit");
  });
  const reply = (): Promise<number> => statusOf(`http://127.0.0.1:${ports.plain}/`).catch(() => 0);
  await expect.poll(reply).toBe(301);
  return ports;
}

const logFile = (): string => join(folder, "access.log");

const statusOf = async (url: string): Promise<number> => (await fetch(url, { redirect: "manual" })).status;

/** A site of a test's own, which sees what arrives. */
async function startUpstream(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A process that serves a build of the web app with an asset of this name. */
async function startBuild(asset: string): Promise<number> {
  const web = writeBuiltWeb(mkdtempSync(join(folder, "build-")));
  renameSync(join(web, "assets/chunk.js"), join(web, "assets", asset));
  const app = fastify();
  registerWebApp(app, web, { siteName: asset, links: siteLinksOf({}), publicUrl: undefined });
  onTestFinished(() => app.close());
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
}

const send = ({ tls }: Ports, options: RequestOptions) =>
  request({
    host: "127.0.0.1",
    port: tls,
    servername: "course.example.com",
    rejectUnauthorized: false,
    agent: false,
    ...options,
  });

const visit = { headers: { host: "course.example.com" } };
const replyTo = async (sent: ReturnType<typeof send>): Promise<IncomingMessage> =>
  ((await once(sent, "response")) as [IncomingMessage])[0];

// RUN-6
describe.runIf(hasNginx)("nginx with the file of deploy", () => {
  it("leads to https, and tells the site who visits, whatever the visitor says", async () => {
    let seen: IncomingHttpHeaders = {};
    const site = await startUpstream((asked, reply) => {
      seen = asked.headers;
      reply.end();
    });
    const ports = await startNginx(site);
    const moved = await fetch(`http://127.0.0.1:${ports.plain}/auth?a=1`, { redirect: "manual", ...visit });
    expect(moved.headers.get("location")).toMatch(/^https:\/\/[^/]+\/auth\?a=1$/);
    const forged = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http", "x-forwarded-host": "evil.example" };
    const sent = send(ports, { headers: { ...visit.headers, ...forged } });
    sent.end();
    expect((await replyTo(sent)).statusCode).toBe(200);
    expect(seen).toMatchObject({
      host: "course.example.com",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "course.example.com",
    });
  });

  // RUN-5
  it("writes requests to its log without the links that work", async () => {
    const ports = await startNginx(await startUpstream((_, reply) => void reply.end()));
    const link = "/storage/v1/object/sign/videos/film.mp4?token=secret";
    await fetch(`http://127.0.0.1:${ports.plain}${link}`, { redirect: "manual", ...visit });
    const headers = { ...visit.headers, referer: "https://course.example.com/unsubscribe?token=secret" };
    const sent = send(ports, { path: link, headers });
    sent.end();
    (await replyTo(sent)).resume();
    const log = (): string => readFileSync(logFile(), "utf8");
    await expect.poll(log).toMatch(/"GET \/storage\/v1\/object\/sign\/videos\/film\.mp4" 301[^]*film\.mp4" 200 /);
    expect(log()).not.toContain("secret");
  });

  it("passes an upload on as it arrives, of any size, and a reply as it comes", async () => {
    let received = 0;
    const mayEnd = new EventEmitter();
    const site = await startUpstream((asked, reply) => {
      asked.on("data", (piece: Buffer) => (received += piece.length));
      asked.on("end", () => {
        reply.write("begun");
        mayEnd.once("end", () => reply.end());
      });
    });
    const ports = await startNginx(site);
    const size = 8 * 1024 * 1024;
    const sent = send(ports, { method: "PATCH", headers: { ...visit.headers, "content-length": 2 * size } });
    sent.write(Buffer.alloc(size));
    // The second half is sent only when the first has passed: nothing was gathered on the way.
    await expect.poll(() => received).toBe(size);
    sent.end(Buffer.alloc(size));
    const reply = await replyTo(sent);
    expect(((await once(reply, "data")) as [Buffer])[0].toString()).toBe("begun");
    mayEnd.emit("end");
    expect(received).toBe(2 * size);
  });

  // FILE-19
  it("passes on a long address at a store, with the longest name of a file", async () => {
    const name = encodeURIComponent(`attachment; filename*=UTF-8''${encodeURIComponent("𝒳".repeat(200))}`);
    const address = `https://files.example.com/course/objects/film?response-content-disposition=${name}&X-Amz-Signature=${"0".repeat(64)}`;
    const site = await startUpstream((_, reply) => void reply.writeHead(307, { location: address }).end());
    const sent = send(await startNginx(site), visit);
    sent.end();
    const reply = await replyTo(sent);
    expect([reply.statusCode, reply.headers.location]).toEqual([307, address]);
  });

  it("serves the site itself with its live events and uploads", async () => {
    const app: TestApp = await startApp({ environment: { TRUST_PROXY: "on", PUBLIC_URL: "https://course.example.com" } });
    onTestFinished(() => app.close());
    const ports = await startNginx(Number(new URL(app.url).port));
    const { accessToken } = await student(app);
    const headers = { ...visit.headers, authorization: `Bearer ${accessToken}` };
    const stream = send(ports, { path: "/api/events", headers });
    stream.end();
    const events = await replyTo(stream);
    expect(events.headers["content-type"]).toContain("text/event-stream");
    await once(events, "data");
    stream.destroy();

    const upload = send(ports, {
      method: "POST",
      path: "/storage/v1/upload/resumable",
      headers: {
        ...headers,
        "tus-resumable": "1.0.0",
        "upload-length": "4",
        "upload-metadata": ["bucketName payment-screenshots", "filename a.png", "filetype image/png"]
          .map((pair) => pair.replace(/ (.*)$/, (_, value: string) => ` ${Buffer.from(value).toString("base64")}`))
          .join(","),
      },
    });
    upload.end();
    const created = await replyTo(upload);
    expect([created.statusCode, created.headers.location]).toEqual([
      201,
      expect.stringMatching(/^(https:\/\/course\.example\.com)?\/storage\/v1\/upload\/resumable\//),
    ]);
  });

  // RUN-14
  it("finds the assets of both builds while one release follows the other", async () => {
    const ports = await startNginx(await startBuild("app-old.js"), await startBuild("app-new.js"));
    const statuses: (number | undefined)[] = [];
    // Each is asked for twice in a row, so by whichever process's turn it is.
    for (const asset of ["app-old.js", "app-old.js", "app-new.js", "app-new.js", "app-gone.js"]) {
      const sent = send(ports, { path: `/assets/${asset}`, ...visit });
      sent.end();
      statuses.push((await replyTo(sent)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 404]);
  });
});
