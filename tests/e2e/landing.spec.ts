import { startReact } from "../support/browser/hydration.ts";
import { expect, test } from "../support/sites/site.ts";

const ground = { dark: "rgb(12, 17, 16)", light: "rgb(246, 243, 236)" };

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the landing page works: rows open, anchors scroll, buttons lead to /auth", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Master Forex Trading" })).toBeVisible();
    const starter = page.getByRole("article").filter({ has: page.getByRole("heading", { name: "Starter" }) });
    const row = starter.getByRole("group").filter({ hasText: "Forex Basics" });
    await expect(row.locator("p")).toBeHidden();
    await row.locator("summary").click();
    await expect(row.locator("p")).toBeVisible();
    await page.getByRole("navigation", { name: "Sections", exact: true }).getByRole("link", { name: "Pricing" }).click();
    await expect(page.getByRole("heading", { name: "Pricing" })).toBeInViewport();
    await expect(page.getByRole("link", { name: "Start Learning Now" })).toHaveAttribute("href", "/auth");
    await expect(page.locator("[data-theme-switch]")).toBeHidden();
  });
});

test("a link of the landing page leads on without loading another document", async ({ page }) => {
  await page.goto("/");
  await startReact(page);
  await page.evaluate(() => void Object.assign(globalThis, { isSameDocument: true }));
  await page.getByRole("link", { name: "Start Learning Now" }).click();
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  expect(await page.evaluate("isSameDocument")).toBe(true);
});

test("after a step back the links of the top bar lead to their sections", async ({ page }) => {
  await page.goto("/");
  await startReact(page);
  await page.getByRole("heading", { name: "Pricing" }).scrollIntoViewIfNeeded();
  await page.getByRole("link", { name: "Choose Starter" }).click();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();
  await page.goBack();
  const sections = page.getByRole("navigation", { name: "Sections", exact: true });
  for (const [link, id] of [
    ["Success Stories", "stories"],
    ["Course", "course"],
    ["Pricing", "pricing"],
  ] as const) {
    await sections.getByRole("link", { name: link }).click();
    await expect(page.locator(`#${id} h2`)).toBeInViewport();
    await expect(page.locator(`#${id}`)).toBeFocused();
  }
});

test("a landing page that was scrolled before React starts stays where it is", async ({ page }) => {
  // Otherwise it would scroll smoothly, and be elsewhere only later.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  const position = () => page.evaluate(() => scrollY);
  for (const section of ["#course", "#pricing"]) {
    await page.locator(section).evaluate((element) => element.scrollIntoView());
    const before = await position();
    expect(before).toBeGreaterThan(0);
    await startReact(page);
    // Set by an effect, after the page would have been scrolled.
    await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe("manual");
    expect(await position()).toBe(before);
    await page.reload();
  }
});

test("React loads at the first interaction, within the content policy", async ({ page, baseURL }) => {
  const scripts: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => void (request.resourceType() === "script" && scripts.push(request.url())));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  await page.goto("/", { waitUntil: "networkidle" });
  const before = scripts.length;
  expect(before).toBeLessThanOrEqual(3);

  await page.mouse.move(200, 300);
  await expect.poll(() => scripts.length).toBeGreaterThan(before);
  await page.waitForLoadState("networkidle");

  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "") as {
    offers: { price: string; priceCurrency: string }[];
  };
  expect(data.offers.map(({ price, priceCurrency }) => `${price} ${priceCurrency}`)).toEqual(["497 USD", "997 USD"]);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${baseURL}/`);
  const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
  const answer = await page.request.get(picture ?? "");
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect((await answer.body()).readUInt32BE(16)).toBe(1200);
  expect(complaints).toEqual([]);
});

for (const system of ["dark", "light"] as const) {
  test(`a ${system} system shows the ${system} theme until the switch is used`, async ({ page }) => {
    const other = system === "dark" ? "light" : "dark";
    await page.emulateMedia({ colorScheme: system });
    await page.goto("/");
    const body = page.locator("body");
    const toggle = page.getByRole("button", { name: "Light theme" });
    await expect(body).toHaveCSS("background-color", ground[system]);
    await expect(toggle).toHaveAttribute("aria-pressed", String(system === "light"));

    // As the very first thing that is done: React has not started.
    await toggle.evaluate((button: HTMLElement) => button.click());
    await expect(body).toHaveCSS("background-color", ground[other]);
    await expect(toggle).toHaveAttribute("aria-pressed", String(other === "light"));

    // Kept, and there before the first paint: the attribute is set while the body is still unparsed.
    await page.addInitScript(() => {
      new MutationObserver((_changes, observer) => {
        if (!document.body) return;
        Object.assign(globalThis, { themeAtBody: document.documentElement.dataset["theme"] });
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto("/auth");
    await expect(body).toHaveCSS("background-color", ground[other]);
    expect(await page.evaluate(() => (globalThis as { themeAtBody?: string }).themeAtBody)).toBe(other);
    await expect(toggle).toHaveAttribute("aria-pressed", String(other === "light"));

    // Back at what the system says, the system is followed again.
    await toggle.click();
    await expect(body).toHaveCSS("background-color", ground[system]);
    await expect(toggle).toHaveAttribute("aria-pressed", String(system === "light"));
    await page.emulateMedia({ colorScheme: other });
    await expect(body).toHaveCSS("background-color", ground[other]);
    await expect(toggle).toHaveAttribute("aria-pressed", String(other === "light"));
  });
}

test("a path with a broken percent sign shows the page for unknown addresses", async ({ page }) => {
  for (const path of ["/50%off", "/auth/%zz"]) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  }
});
