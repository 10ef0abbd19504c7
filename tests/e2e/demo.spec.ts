import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { expect, test } from "@playwright/test";

const folder = join(import.meta.dirname, "../../dist/demo");
const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** Any static host: files, a folder's index.html, and 404.html for the rest. */
function staticHost(): Server {
  return createServer((request, reply) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const file = [join(folder, path), join(folder, path, "index.html")].find(
      (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
    );
    const found = file ?? join(folder, "404.html");
    reply.writeHead(file ? 200 : 404, { "content-type": types[extname(found)] ?? "application/octet-stream" });
    createReadStream(found).pipe(reply);
  });
}

let host: Server;
let origin: string;
test.beforeAll(async () => {
  host = staticHost();
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  host.close();
});

test("the demo sells the course without a backend and without any other address", async ({ page }) => {
  const strangers: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(origin) || url.startsWith("blob:") || url.startsWith("data:")) return route.continue();
    strangers.push(url);
    return route.abort();
  });

  await page.goto(origin);
  await expect(page.getByRole("heading", { name: "Master Forex Trading" })).toBeVisible();

  await page.goto(`${origin}/auth`);
  await page.getByLabel("Email").fill("visitor@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a fine long password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Supabase configuration is missing. Please set up your environment variables.")).toBeVisible();

  await page.goto(`${origin}/student`);
  await expect(page.getByText("No Package").first()).toBeVisible();
  await page.getByRole("link", { name: "Buy Starter Package" }).click();
  await expect(page).toHaveURL(/\/payment\/?\?package=starter$/);
  await page.getByLabel("Coupon code").fill("nope");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Invalid coupon code", { exact: true })).toBeVisible();
  await page.getByLabel("Coupon code").fill("lunch");
  await page.keyboard.press("Enter");
  await expect(page.getByText("248.5").first()).toBeVisible();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(join(import.meta.dirname, "../support/receipt.png"));
  await page.getByRole("checkbox").check();
  const started = Date.now();
  await page.getByRole("button", { name: "Submit Payment Request" }).click();
  await expect(page.getByText("Payment Submitted!")).toBeVisible();
  expect(Date.now() - started).toBeGreaterThanOrEqual(1900);
  expect(strangers).toEqual([]);
});
