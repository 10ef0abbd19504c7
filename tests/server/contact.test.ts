import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConfigError, readConfig } from "#server/config";
import { startApp, type TestApp } from "../support/app.ts";
import { writeBuiltWeb } from "../support/contract/built-web.ts";
import { mailsTo } from "../support/mails/received.ts";
import { student, visitor } from "../support/people.ts";

const environment = {
  CONTACT_EMAIL: "Help&co@example.com",
  CONTACT_URL: "https://chat.example/course?a&b",
  TERMS_URL: "https://example.com/terms",
  PRIVACY_URL: "",
  IMPRINT_URL: "https://example.com/imprint",
  HELP_URL: "http://example.com/help",
};
let projectDir: string;
let app: TestApp;
let silent: TestApp;
beforeAll(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "pipwright-contact-"));
  writeBuiltWeb(projectDir);
  app = await startApp({ environment, projectDir });
  silent = await startApp({ projectDir });
});
afterAll(async () => {
  await app.close();
  await silent.close();
  rmSync(projectDir, { recursive: true });
});

const pageOf = async (on: TestApp, path: string): Promise<string> => (await fetch(on.url + path)).text();

/** The newest mail of a student who asked for a recovery link. */
async function mailOf(on: TestApp): Promise<{ text: string; html: string }> {
  const someone = await student(on);
  await visitor(on).call("POST", "/auth/v1/recover", { email: someone.email });
  const [mail] = await mailsTo(on, someone.email);
  return mail!;
}

// CONTACT-1
it("names the ways to reach the operator on every page and in mails, escaped", async () => {
  for (const path of ["/", "/auth", "/payment", "/student/receipts/some-id"]) {
    const written = /name="site-links" content="([^"]*)"/.exec(await pageOf(app, path))?.[1] ?? "";
    const links = JSON.parse(written.replaceAll(/&#(\d+);/g, (_, character) => String.fromCharCode(Number(character))));
    expect(links.contacts.map(({ href }: { href: string }) => href)).toEqual([
      "mailto:help%26co@example.com",
      "https://chat.example/course?a&b",
    ]);
  }
  expect((await mailOf(app)).text).toContain("Questions? Write to help&co@example.com or https://chat.example/course?a&b");
});

// CONTACT-2
it("links what has an address in the footer and leaves the rest inert", async () => {
  const page = await pageOf(app, "/");
  expect(page).toContain('<a href="https://example.com/terms">Terms</a>');
  expect(page).toContain('<a href="https://chat.example/course?a&#38;b">Contact</a>');
  expect(page).toContain('<a role="link" aria-disabled="true">Privacy</a>');
});

it("writes no contacts where the operator has set no address", async () => {
  const page = await pageOf(silent, "/");
  expect(page).toContain('content="{&#34;contacts&#34;:[],&#34;footer&#34;:{}}"');
  expect(page).toContain('<a role="link" aria-disabled="true">Contact</a>');
  expect((await mailOf(silent)).text).not.toContain("Questions?");
});

it.each([
  ["CONTACT_EMAIL", "nobody"],
  ["CONTACT_URL", "javascript:alert(1)"],
  ["CONTACT_URL", "http://chat.example"],
  ["TERMS_URL", "data:text/html,x"],
])("refuses %s=%s at the start", (name, text) => {
  expect(() => readConfig({ [name]: text })).toThrow(ConfigError);
});
