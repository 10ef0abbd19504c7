import { afterAll, beforeAll, expect, it } from "vitest";
import { settings, type Setting } from "#server/settings";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { admin, type Person } from "../../../../tests/support/people.ts";

const all: Setting[] = Object.values(settings).flatMap((group) => Object.values(group));

/** A text that must not leave the server, wherever it stands in the value. */
const canary = "c4n4ry-horse-battery";
const environment = {
  SITE_NAME: "Lek's school",
  PRICE_API_URL: `https://prices.example/${canary}/price?key=${canary}`,
  BITCOIN_API_URL: `https://user:${canary}@chain.example/api`,
  ETHEREUM_RPC_URL: `https://${canary}.node.example/v3/${canary}`,
  MAILBOX_TOKEN: canary,
  METRICS_TOKEN: canary,
};

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp({ environment });
  operator = await admin(app);
});
afterAll(() => app?.close());

// ENVIRONMENT-1
it("lists each setting's value or default, and of a secret only whether it is set", async () => {
  const { status, body } = await operator.call("GET", "/api/environment");
  expect(status).toBe(200);
  const listed = Object.fromEntries(body.groups.flatMap((group: any) => group.settings.map((one: any) => [one.name, one])));
  expect(Object.keys(listed).toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  expect(listed["SITE_NAME"]).toMatchObject({ value: "Lek's school", is_set: true, is_secret: false, fallback: "Pipwright" });
  expect(listed["WATERMARK"]).toMatchObject({ value: null, is_set: false, fallback: "off" });
  expect(listed["METRICS_TOKEN"]).toMatchObject({ value: null, is_set: true, is_secret: true, fallback: null });
  expect(listed["SMTP_URL"]).toMatchObject({ value: null, is_set: false, is_secret: true });
  expect(body.groups.map((group: any) => group.subject)).toEqual(Object.keys(settings));
});

it("sends no password, token or key of an address to the browser", async () => {
  expect(JSON.stringify((await operator.call("GET", "/api/environment")).body)).not.toContain(canary);
  expect(JSON.stringify(app.deps.config.environment)).not.toContain(canary);
});

it("declares settings for passwords, tokens and called services as secret", () => {
  const mayHoldSecrets = all.filter(({ name, schema, example }) => {
    const isText = example === "" || /PASSWORD|TOKEN|SECRET|KEY/.test(name);
    const isService = /(_API|_RPC|WEBHOOK)_URL$|_ENDPOINT$|^(DATABASE|SMTP)_/.test(name) && !schema.safeParse("on").success;
    return isText || isService;
  });
  expect(mayHoldSecrets.length).toBeGreaterThan(6);
  expect(mayHoldSecrets.filter(({ isSecret }) => !isSecret).map(({ name }) => name)).toEqual([]);
});
