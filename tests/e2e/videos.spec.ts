// Over 250 lines: the journeys of the list of the course share one site, whose lessons they count.
import type { Browser, Locator, Page } from "@playwright/test";
import { expect, test } from "../support/browser/windows.ts";
import { tabTo } from "../support/browser/keyboard.ts";
import { AdminSession, caller, joinSite, windowOf, type Call } from "../support/sites/members.ts";
import { startSite, type Site } from "../support/sites/site.ts";

/** Of its own: other journeys count the lessons of theirs. */
let site: Site;
let asAdmin: Call;
let session: AdminSession;
test.beforeAll(async () => {
  site = await startSite();
  session = await AdminSession.of(site);
  asAdmin = caller(site, session);
});
test.afterAll(async () => site?.stop());

const course = { Basics: ["Pips", "Lots", "Orders"], Waves: ["Impulse", "Correction"], Mind: ["Journal"] };

test.beforeEach(async () => {
  const { items } = await asAdmin("GET", "/api/videos");
  if (items.length > 0) await asAdmin("POST", "/api/videos/delete", { ids: items.map(({ id }: { id: string }) => id) });
  for (const [module, titles] of Object.entries(course)) {
    for (const [index, title] of titles.entries()) {
      const video = { module, title, package_type: index === 0 ? "both" : "advanced", description: `About ${title}.` };
      await asAdmin("POST", "/api/videos", { ...video, order_index: index + 1, video_url: `${site.url}/robots.txt?${title}` });
    }
  }
  await asAdmin("PUT", "/api/modules/order", { modules: Object.keys(course) });
});

const stored = async (): Promise<string[]> => {
  const { items } = await asAdmin("GET", "/api/videos");
  return items.map((video: any) => `${video.module} ${video.order_index} ${video.title}`);
};

const row = (page: Page, title: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const handle = (part: Locator): Locator => part.getByTitle("Drag to move").first();
const titles = (page: Page): Locator => page.getByRole("tabpanel").getByRole("heading", { level: 3 });

/** Presses the handle and carries it over a part of the page; above its middle, or below. */
async function carry(page: Page, from: Locator, over: Locator, half: "above" | "below"): Promise<void> {
  await handle(from).hover();
  await page.mouse.down();
  const box = (await over.boundingBox())!;
  const y = box.y + box.height * (half === "above" ? 0.25 : 0.75);
  await page.mouse.move(box.x + 80, y - 3);
  await page.mouse.move(box.x + 80, y);
}

const openCourse = async (page: Page): Promise<void> => {
  await page.goto("/admin?tab=videos");
  await expect(titles(page)).toHaveCount(6);
};

const adminPage = async (browser: Browser): Promise<Page> => {
  // High enough for the whole course, so that no drag has to scroll.
  const viewport = { width: 1280, height: 1400 };
  const context = await windowOf(browser, site, await session.forWindow(), { viewport });
  return context.newPage();
};

// VIDEOS-1
test("the seller drags lessons and modules, while another page changes the course", async ({ browser }) => {
  const page = await adminPage(browser);
  await openCourse(page);

  await test.step("swaps two lessons with one drag", async () => {
    await carry(page, row(page, "Pips"), row(page, "Lots"), "below");
    await page.mouse.up();
    await expect(titles(page)).toHaveText(["Lots", "Pips", "Orders", "Impulse", "Correction", "Journal"]);
    await expect.poll(stored).toEqual(expect.arrayContaining(["Basics 1 Lots", "Basics 2 Pips", "Basics 3 Orders"]));
  });

  await test.step("drags a lesson into another module", async () => {
    await carry(page, row(page, "Orders"), row(page, "Correction"), "above");
    await page.mouse.up();
    await expect(titles(page)).toHaveText(["Lots", "Pips", "Impulse", "Orders", "Correction", "Journal"]);
    await expect.poll(stored).toEqual(expect.arrayContaining(["Waves 1 Impulse", "Waves 2 Orders", "Waves 3 Correction"]));
  });

  await test.step("leaves everything in its place with Escape, and what others change meanwhile comes after", async () => {
    const before = await stored();
    await carry(page, row(page, "Lots"), row(page, "Journal"), "below");
    const { items } = await asAdmin("GET", "/api/videos");
    const impulse = items.find(({ title }: { title: string }) => title === "Impulse");
    // The page may have heard of the change before the reply is here.
    const read = page.waitForResponse((response) => response.url().includes("/api/videos?"));
    await asAdmin("PATCH", `/api/videos/${impulse.id}`, { title: "First impulse" });
    await read;
    await expect(row(page, "Impulse")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await expect(titles(page)).toHaveText(["Lots", "Pips", "First impulse", "Orders", "Correction", "Journal"]);
    expect(await stored()).toEqual(before.map((one) => one.replace("Impulse", "First impulse")));
  });

  await test.step("drags a module above another", async () => {
    const mind = page.getByRole("region", { name: "Mind" });
    await carry(page, mind, page.getByRole("region", { name: "Basics" }), "above");
    await page.mouse.up();
    await expect(titles(page)).toHaveText(["Journal", "Lots", "Pips", "First impulse", "Orders", "Correction"]);
  });

  await test.step("a drop that is refused goes back and says why", async () => {
    await page.route("**/api/modules/*/videos", (route) =>
      route.fulfill({ status: 409, json: { code: "order_outdated", error: "The course has changed in the meantime." } }),
    );
    await carry(page, row(page, "Pips"), row(page, "Lots"), "above");
    await page.mouse.up();
    await expect(page.getByRole("alert")).toContainText("The course has changed in the meantime.");
    await expect(titles(page)).toHaveText(["Journal", "Lots", "Pips", "First impulse", "Orders", "Correction"]);
  });
});

// VIDEOS-1, VIDEOS-2
test("the seller moves and renames by keyboard alone, and the focus stays", async ({ browser }) => {
  const page = await adminPage(browser);
  await openCourse(page);
  const pips = page.getByRole("button", { name: "Pips", exact: true });

  await test.step("one key moves a lesson, over the end of its module too", async () => {
    await pips.focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press("Alt+ArrowDown");
    await expect(titles(page)).toHaveText(["Lots", "Orders", "Pips", "Impulse", "Correction", "Journal"]);
    await expect(pips).toBeFocused();
    await expect(page.getByText("Pips is now number 1 of 3 in Waves.")).toBeAttached();
    await expect.poll(stored).toContain("Waves 1 Pips");
  });

  await test.step("renames it with Enter, not with Escape", async () => {
    await page.keyboard.press("Enter");
    await page.keyboard.type("Nothing");
    await page.keyboard.press("Escape");
    await expect(pips).toBeFocused();
    await page.keyboard.press("Enter");
    await page.keyboard.type("What a pip is");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "What a pip is", exact: true })).toBeFocused();
    await expect.poll(stored).toContain("Waves 1 What a pip is");
  });

  await test.step("renames a module, and merges two after a question", async () => {
    await page.getByRole("button", { name: "Basics", exact: true }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect(page.getByRole("tabpanel").getByRole("heading", { level: 2 }).first()).toHaveText("Waves");
    await page.keyboard.press("Enter");
    await page.keyboard.type("First steps");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "First steps", exact: true })).toBeFocused();
    await expect.poll(stored).toEqual(expect.arrayContaining(["First steps 1 Lots", "First steps 2 Orders"]));
    await page.keyboard.press("Enter");
    await page.keyboard.type("Mind");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alertdialog")).toContainText("There is a module “Mind” already.");
    await page.getByRole("button", { name: "Merge" }).press("Enter");
    await expect.poll(stored).toEqual(expect.arrayContaining(["Mind 1 Journal", "Mind 2 Lots", "Mind 3 Orders"]));
    await expect(page.locator(":focus")).not.toHaveCount(0);
  });
});

// VIDEOS-1, VIDEOS-3
test("on a touch screen lessons and modules are moved by their arrows", async ({ browser }) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const context = await windowOf(browser, site, await session.forWindow(), phone);
  const page = await context.newPage();
  await openCourse(page);
  // A finger that drags scrolls the page.
  await expect(page.getByTitle("Drag to move").first()).toBeHidden();
  for (const after of [
    ["Lots", "Pips", "Orders"],
    ["Lots", "Orders", "Pips"],
  ]) {
    await page.getByRole("button", { name: "Move Pips down" }).tap();
    await expect(titles(page)).toHaveText([...after, "Impulse", "Correction", "Journal"]);
  }
  await page.getByRole("button", { name: "Move module Waves up" }).tap();
  await expect(titles(page)).toHaveText(["Impulse", "Correction", "Lots", "Orders", "Pips", "Journal"]);
  await expect.poll(stored).toEqual(expect.arrayContaining(["Basics 1 Lots", "Basics 2 Orders", "Basics 3 Pips"]));
  await expect.poll(async () => (await asAdmin("GET", "/api/videos")).items[0].module_order).toBe(2);

  await test.step("selected, a lesson goes to a module far away, and the bar covers nothing that has the focus", async () => {
    await page.getByRole("checkbox", { name: "Select Impulse" }).tap();
    const bar = page.getByRole("region", { name: "Selected lessons" });
    await tabTo(page, bar.getByRole("button", { name: "Change package" }));
    await bar.getByRole("button", { name: "Change module" }).tap();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByLabel("Module", { exact: true }).fill("Mind");
    await dialog.getByRole("button", { name: "Change module" }).tap();
    await expect.poll(stored).toContain("Mind 2 Impulse");
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await context.close();
});

// VIDEOS-3
test("the seller changes and deletes several lessons together", async ({ browser }) => {
  const page = await adminPage(browser);
  await openCourse(page);
  const selected = page.getByRole("region", { name: "Selected lessons" });

  await test.step("selects a range by keyboard and changes its package", async () => {
    await page.getByRole("checkbox", { name: "Select Lots" }).press("Space");
    await page.getByRole("checkbox", { name: "Select Impulse" }).press("Shift+Space");
    await expect(selected).toContainText("3 lessons selected");
    await selected.getByRole("button", { name: "Change package" }).press("Enter");
    await page.getByLabel("Package", { exact: true }).selectOption("Starter and Advanced");
    await page.getByRole("alertdialog").getByRole("button", { name: "Change package" }).press("Enter");
    await expect(page.getByText("3 lessons changed")).toBeVisible();
    await expect(row(page, "Impulse").getByText("starter")).toBeVisible();
    await expect(selected.getByRole("button", { name: "Change package" })).toBeFocused();
  });

  await test.step("moves them to another module", async () => {
    await selected.getByRole("button", { name: "Change module" }).click();
    await page.getByRole("alertdialog").getByLabel("Module", { exact: true }).fill("Mind");
    await page.getByRole("alertdialog").getByRole("button", { name: "Change module" }).click();
    await expect(titles(page)).toHaveText(["Pips", "Correction", "Journal", "Lots", "Orders", "Impulse"]);
  });

  await test.step("deletes a module's lessons after one question", async () => {
    await selected.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("checkbox", { name: "Select all of Mind" }).check();
    await selected.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText("Are you sure you want to delete these 4 videos?");
    await expect(dialog.getByRole("listitem")).toHaveText(["Journal", "Lots", "Orders", "Impulse"]);
    await dialog.getByRole("button", { name: "Delete" }).press("Enter");
    await expect(titles(page)).toHaveText(["Pips", "Correction"]);
    await expect(page.locator(":focus")).not.toHaveCount(0);
  });
});

// VIDEOS-4
test("the form proposes the next number, no package, and warns of a second copy", async ({ browser }) => {
  const page = await adminPage(browser);
  await openCourse(page);
  await page.getByRole("button", { name: "Add video" }).click();
  await page.getByLabel("Title", { exact: true }).fill("lots");
  await page.getByLabel("Description").fill("The same again.");
  await page.getByLabel("Module", { exact: true }).fill("Basics");
  await expect(page.getByLabel("Order index")).toHaveValue("4");
  await expect(page.getByText("“Lots” has this title in the same module.")).toBeVisible();
  await page.getByLabel("Video URL").fill(`${site.url}/robots.txt?Pips`);
  await expect(page.getByText("“Pips” has the same address.")).toBeVisible();
  await page.getByRole("button", { name: "Save video" }).click();
  await expect(page.getByText("Please choose a package.")).toBeVisible();
  await page.getByLabel("Package", { exact: true }).selectOption("Free preview: every verified student");
  await page.getByRole("button", { name: "Save video" }).click();
  await expect(row(page, "lots")).toBeVisible();
  expect(await stored()).toContain("Basics 4 lots");
});

// VIDEOS-5
test("at 820 px the checkboxes stand in one line, and the package is displayed whole", async ({ browser }) => {
  const page = await adminPage(browser);
  await page.setViewportSize({ width: 820, height: 1180 });
  await openCourse(page);
  const boxes = await page.getByRole("tabpanel").getByRole("checkbox").all();
  const lefts = await Promise.all(boxes.map(async (box) => (await box.boundingBox())!.x));
  expect(new Set(lefts).size).toBe(1);

  await page.getByRole("button", { name: "Edit Pips" }).click();
  const [width, needed] = await page.getByLabel("Package").evaluate((select: HTMLSelectElement) => {
    const { offsetWidth } = select;
    select.style.width = "max-content";
    return [offsetWidth, select.offsetWidth];
  });
  expect(width).toBeGreaterThanOrEqual(needed);
  await page.context().close();
});

test("the seller sees the dashboard as each tier does, and nothing is given away", async ({ browser }) => {
  const page = await adminPage(browser);
  const malee = await joinSite(site, "Malee Preview", true);
  const student = await (await windowOf(browser, site, malee.session)).newPage();
  const lessons = async (where: Page): Promise<string[]> => {
    const part = where.getByRole("region", { name: "Lessons" });
    await expect(part.getByRole("article")).toHaveCount(6);
    return part.getByRole("article").allInnerTexts();
  };
  await openCourse(page);
  await page.getByRole("link", { name: "Preview as a student" }).click();
  for (const tier of ["Unpaid", "Starter", "Advanced"]) {
    await page.getByRole("link", { name: tier, exact: true }).click();
    await expect(page.getByRole("complementary", { name: "Preview" })).toBeVisible();
    const newRole = tier.toLowerCase();
    await asAdmin("PUT", "/functions/v1/admin-users", { userId: malee.session.user.id, newRole });
    await student.goto("/student");
    await expect(page.getByRole("banner")).toContainText(tier === "Unpaid" ? "No Package" : `${tier} Package`);
    expect(await lessons(page)).toEqual(await lessons(student));
  }
  await page.getByRole("link", { name: "Unpaid", exact: true }).click();
  await page.getByRole("link", { name: "Buy Starter Package" }).click();
  await expect(page.getByText("Only students can do this")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/preview\?tier=unpaid$/);
  await page.getByRole("link", { name: "Back to the course" }).click();
  await expect(titles(page)).toHaveCount(6);
});
