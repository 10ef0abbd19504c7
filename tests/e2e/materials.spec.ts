import { join } from "node:path";
import { expect, test } from "../support/browser/windows.ts";
import { login } from "../support/browser/login.ts";
import { adminSessionOf, caller, joinSite } from "../support/sites/members.ts";
import { adminEmail, adminPassword, startSite, type Site } from "../support/sites/site.ts";

const film = join(import.meta.dirname, "../../samples/videos/psychology-1.mp4");
const unplayable = join(import.meta.dirname, "../support/films/samples/hevc-late.mp4");
const file = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: "",
  buffer: Buffer.from(text),
});

let site: Site;
test.beforeAll(async () => (site = await startSite()));
test.afterAll(() => site?.stop());

// FILE-13, FILE-14, FILE-15
test("the admin adds a poster, captions and a download, and a student gets them", async ({ browser }) => {
  const member = await joinSite(site, "Malee Student", true);
  const [admin, student] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ baseURL: site.url })).newPage()),
  );
  if (!admin || !student) throw new Error("No pages.");
  await login(admin, { email: adminEmail, password: adminPassword });
  await login(student, member);
  await expect(student).toHaveURL(/\/student$/);

  await test.step("takes a frame of the film as the poster", async () => {
    await admin.getByRole("tab", { name: "Videos" }).click();
    await admin.getByRole("button", { name: "Add video" }).click();
    await admin.getByLabel("Title").fill("Calm first");
    await admin.getByLabel("Description").fill("Why the first trade of the day is the smallest.");
    await admin.getByLabel("Module", { exact: true }).fill("Psychology");
    await admin.getByLabel("Package", { exact: true }).selectOption("both");
    await admin.getByLabel("Choose a video file").setInputFiles(unplayable);
    await expect(admin.getByText("This browser cannot play the film")).toBeVisible();
    await admin.getByLabel("Choose another").setInputFiles(film);
    await admin.getByLabel("Moment of the film").focus();
    await admin.keyboard.press("ArrowRight");
    await admin.getByRole("button", { name: "Save video" }).click();
    await expect(admin.getByRole("heading", { name: "Add video" })).toBeHidden();
    const poster = student.getByRole("article", { name: "Calm first" }).locator("img");
    await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
  });

  await test.step("adds captions, and reads which line is wrong", async () => {
    await admin.getByRole("button", { name: "Edit Calm first" }).click();
    await admin.getByLabel("Choose a caption file").setInputFiles(file("calm.th.vtt", "WEBVTT\n\n00:01 --> 00:02\nHi\n"));
    await expect(admin.getByLabel("Language tag")).toHaveValue("th");
    await admin.getByRole("button", { name: "Add captions" }).click();
    await expect(admin.getByText("Line 3: here a cue needs its times")).toBeVisible();
    const captions = admin.getByRole("region", { name: "Captions" });
    await captions.getByLabel("Choose another").setInputFiles(file("calm.th.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nสวัสดี\n"));
    await admin.getByRole("button", { name: "Add captions" }).click();
    await expect(admin.getByRole("button", { name: "Remove ไทย captions" })).toBeVisible();
  });

  await test.step("adds a download, not a program", async () => {
    await admin.getByLabel("Add a file").setInputFiles(file("setup.exe", "MZ"));
    await expect(admin.getByRole("alert")).toContainText("Please choose a PDF, XLSX");
    await admin.getByLabel("Add a file").setInputFiles(file("sizes.csv", "pair,pips\nEUR/USD,12\n"));
    await expect(admin.getByRole("button", { name: "Download sizes.csv" })).toBeVisible();
    const saved = admin.waitForEvent("download");
    await admin.getByRole("button", { name: "Download sizes.csv" }).click();
    expect((await saved).suggestedFilename()).toBe("sizes.csv");
  });

  await test.step("offers them to the student, also where the film is elsewhere", async () => {
    const asAdmin = caller(site, (await adminSessionOf(site)).access_token);
    const [lesson] = (await member.call("GET", "/api/videos")).items;
    expect(lesson.captions).toEqual([{ language: "th", label: "ไทย", url: expect.stringContaining("lesson-captions") }]);
    await asAdmin("PATCH", `/api/videos/${lesson.id}`, { video_url: "https://films.example.com/calm" });
    const saved = student.waitForEvent("download");
    await student.getByRole("button", { name: "Download sizes.csv" }).click();
    expect((await saved).suggestedFilename()).toBe("sizes.csv");
  });
});
