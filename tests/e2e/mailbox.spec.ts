import { expectDashboard } from "../support/browser/dashboard.ts";
import { tabTo } from "../support/browser/keyboard.ts";
import { joinSite } from "../support/sites/members.ts";
import { expect, mailboxPath, startSite, test } from "../support/sites/site.ts";

// MAIL-6.
test("the printed link opens the mailbox, whose address then has no token", async ({ browser }) => {
  const site = await startSite({ MAILBOX_TOKEN: "" });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await joinSite(site, "Nok Mailbox");
    const [line = ""] = site.lines.filter((each) => each.startsWith("Mails: "));
    const [link = ""] = /http:\S+/.exec(line) ?? [];
    expect(link).toMatch(/^http:\/\/localhost:\d+\/mailbox\?token=[\w-]{32}$/);
    expect((await page.goto(`${site.url}/mailbox`))?.status()).toBe(401);
    await expect(page.getByRole("heading", { name: "This mailbox is closed" })).toBeVisible();
    await page.goto(link);
    await expect(page).toHaveURL(`${site.url}/mailbox`);
    await expect(page.getByRole("heading", { name: "Mailbox" })).toBeVisible();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.getByRole("link", { name: "Look again" }).click();
    await expect(page.getByRole("heading", { name: "Mailbox" })).toBeVisible();
  } finally {
    await context.close();
    await site.stop();
  }
});

// ACCOUNT-5, MAIL-6.
test("a recovery link sends its token to no server and leaves the address bar", async ({ page, site }) => {
  const member = await joinSite(site, "Nok Forgetful", true);
  const asked: string[] = [];
  page.context().on("request", (request) => asked.push(request.url()));
  await page.goto("/auth");
  await page.getByRole("button", { name: "Forgot your password?" }).click();
  // The form before has such a field too.
  await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Please check your mailbox")).toBeVisible();

  await page.goto(mailboxPath);
  const mail = page.getByRole("article").filter({ hasText: member.email }).filter({ hasText: "Reset your" });
  const opened = page.context().waitForEvent("page");
  await mail.frameLocator("iframe").getByRole("link", { name: "Choose a new password" }).click();
  const reset = await opened;
  await expect(reset.getByLabel("New password")).toBeVisible();
  await expect(reset).toHaveURL(`${site.url}/auth`);
  const [, token = ""] = /#recovery=([\w-]{43})/.exec((await site.mailsFor(member.email))[0]!.text) ?? [];
  expect(token).not.toBe("");
  // Chromium reports the fragment of the page that it opens, which it sends to nobody.
  expect(asked.map((url) => url.split("#")[0]).filter((url) => url!.includes(token))).toEqual([]);

  await reset.reload();
  // After a key its heading would take the focus when the scripts come.
  await expect(reset.getByLabel("New password")).toBeVisible();
  // KEYS-1
  await tabTo(reset, reset.getByRole("link", { name: "Skip to content" }), "Shift+Tab");
  await reset.keyboard.press("Enter");
  await expect(reset.getByRole("main")).toBeFocused();
  await reset.getByLabel("New password").fill("another fine long password");
  await reset.getByRole("button", { name: "Save the new password" }).click();
  await expectDashboard(reset, "Welcome back, Nok Forgetful!");
  await reset.goto(`/auth#recovery=${token}`);
  await expect(reset.getByText("This link is invalid or has expired.")).toBeVisible();
});
