import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { visitor } from "../../../../../tests/support/people.ts";
import { checkForwarding, trustedProxies } from "./client-address.ts";

let behindProxy: TestApp;
beforeAll(async () => {
  behindProxy = await startApp({ environment: { TRUST_PROXY: "on" } });
});
afterAll(() => behindProxy.close());

/** Signs the admin in with a header and returns the address in the audit log. */
async function auditedAddress(app: TestApp, forwardedFor: string): Promise<string | undefined> {
  const form = { email: adminEmail, password: adminPassword };
  await visitor(app).call("POST", "/auth/v1/token?grant_type=password", form, { "x-forwarded-for": forwardedFor });
  const rows = await app.sql<{ ip: string }>(
    "select ip from audit_log where action = 'admin.sign-in' order by id desc limit 1",
  );
  return rows[0]?.ip;
}

// RUN-6.
it.each([
  ["203.0.113.9", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9", "203.0.113.9"],
  ["198.51.100.1, 203.0.113.9, 10.0.0.5", "203.0.113.9"],
  ["198.51.100.1, 2001:db8::9, 192.168.1.2, 172.16.0.1", "2001:db8::9"],
  ["<b>me</b>", "127.0.0.1"],
  ["198.51.100.1, made up, 10.0.0.5", "10.0.0.5"],
  ["", "127.0.0.1"],
])("records %s, behind a proxy with TRUST_PROXY=on, as %s", async (forwardedFor, recorded) => {
  expect(await auditedAddress(behindProxy, forwardedFor)).toBe(recorded);
});

it("counts hops from the right with TRUST_PROXY as a list, and takes only addresses", async () => {
  const app = await startApp({ environment: { TRUST_PROXY: "127.0.0.1, 10.0.0.5" } });
  try {
    expect(await auditedAddress(app, "198.51.100.1, 203.0.113.9, 10.0.0.5")).toBe("203.0.113.9");
    expect(await auditedAddress(app, "198.51.100.1, 192.168.1.2")).toBe("192.168.1.2");
    expect(await auditedAddress(app, "nobody, 10.0.0.5")).toBe("10.0.0.5");
  } finally {
    await app.close();
  }
});

it("ignores forwarding headers with TRUST_PROXY=off and warns of it once", async () => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const app = await startApp({ environment: { LOG_LEVEL: "warn" }, parts: { logStream } });
  try {
    expect(await auditedAddress(app, "203.0.113.9")).toBe("127.0.0.1");
    expect(await auditedAddress(app, "203.0.113.10")).toBe("127.0.0.1");
  } finally {
    await app.close();
  }
  const warnings = lines.filter((line) => line.includes("TRUST_PROXY"));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).not.toContain("203.0.113");
});

it.each([
  ["off", false, "127.0.0.1"],
  ["on", true, "203.0.113.9"],
])("keeps the address of a client that is gone, with TRUST_PROXY=%s", async (_setting, setting, address) => {
  const app = fastify({ trustProxy: trustedProxies(setting) });
  checkForwarding(app, setting);
  const seen = new Promise<string>((resolve) => {
    app.get("/", async (request) => {
      client.destroy();
      await once(request.raw.socket, "close");
      resolve(request.ip);
    });
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const client = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  client.write("GET / HTTP/1.1\r\nHost: site.example\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n");
  expect(await seen).toBe(address);
  await app.close();
});
