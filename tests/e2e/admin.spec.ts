import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "../support/browser/windows.ts";
import { login } from "../support/browser/login.ts";
import { chooseTier, confirmDeletion } from "../support/browser/delete-user.ts";
import { joinSite } from "../support/sites/members.ts";
import { adminEmail, adminPassword, startSite, type Site } from "../support/sites/site.ts";

const film = join(import.meta.dirname, "../../samples/videos/psychology-1.mp4");
const unplayable = join(import.meta.dirname, "../support/films/samples/hevc-late.mp4");

let prices: Server;
let site: Site;
test.beforeAll(async () => {
  prices = createServer((request, reply) => {
    const coin = new URL(request.url ?? "", "http://prices").searchParams.get("ids") ?? "";
    reply
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ [coin]: { usd: coin === "bitcoin" ? 64_250.5 : 3120.25 } }));
  });
  await new Promise<void>((resolve) => prices.listen(0, "127.0.0.1", resolve));
  const { port } = prices.address() as AddressInfo;
  site = await startSite({ PRICE_API_URL: `http://127.0.0.1:${port}/simple/price` });
});
test.afterAll(async () => {
  await site?.stop();
  prices?.close();
});

test("the admin runs the course: films, tiers, prices, and a student who leaves", async ({ browser }) => {
  const malee = await joinSite(site, "Malee Student", true);
  const [admin, student] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ baseURL: site.url })).newPage()),
  );
  if (!admin || !student) throw new Error("No pages.");
  await login(admin, { email: adminEmail, password: adminPassword });
  await login(student, malee);
  await expect(student).toHaveURL(/\/student$/);

  await test.step("adds a film by file, edits it and sees it at the student's at once", async () => {
    await admin.getByRole("tab", { name: "Videos" }).click();
    await admin.getByRole("button", { name: "Add video" }).click();
    await admin.getByRole("button", { name: "Save video" }).click();
    await expect(admin.getByText("Please either upload a video file or provide a video URL")).toBeVisible();
    await admin.getByLabel("Title").fill("Calm first");
    await admin.getByLabel("Description").fill("Why the first trade of the day is the smallest.");
    await admin.getByLabel("Module", { exact: true }).fill("Psychology");
    await admin.getByLabel("Package", { exact: true }).selectOption("advanced");
    await admin.getByLabel("Choose a video file").setInputFiles(film);
    await admin.getByRole("button", { name: "Save video" }).click();
    await expect(admin.getByRole("heading", { name: "Calm first" })).toBeVisible();
    await expect(student.getByText("Calm first")).toBeVisible();
    await expect(student.getByText("Purchase Required")).toBeVisible();
    // Until then another form would open only after a question (ADMIN-5).
    await expect(admin.getByRole("heading", { name: "Add video" })).toBeHidden();
    await admin.getByRole("button", { name: "Edit Calm first" }).click();
    await admin.getByLabel("Title").fill("Calm before the first trade");
    await admin.getByRole("button", { name: "Save changes" }).click();
    await expect(student.getByText("Calm before the first trade")).toBeVisible();
    await expect(student.getByText("8 s", { exact: true })).toBeVisible();
    await expect(admin.getByText("Uploaded file, 8 s")).toBeVisible();
    // Its button is hidden earlier, since it says "Saving..." first.
    await expect(admin.getByRole("heading", { name: "Edit video" })).toBeHidden();
  });

  await test.step("reads what to do about a film that browsers do not play", async () => {
    await admin.getByRole("button", { name: "Edit Calm before the first trade" }).click();
    await admin.getByLabel("Choose another video file").setInputFiles(unplayable);
    await admin.getByRole("button", { name: "Save changes" }).click();
    await expect(admin.getByText("Browsers do not play its video format. Export it as H.264")).toBeVisible();
  });

  await test.step("changes the tier by the menu, up and down, and the open dashboard follows", async () => {
    await admin.getByRole("tab", { name: "Users" }).click();
    await chooseTier(admin, malee.email, "Give Advanced");
    await expect(student.getByRole("banner").getByText("Advanced Package")).toBeVisible();
    await expect(student.getByRole("button", { name: "Watch Now" })).toBeVisible();
    await chooseTier(admin, malee.email, "Take away access");
    await admin.getByRole("alertdialog").getByRole("button", { name: "Take away access" }).click();
    await expect(student.getByText("No Package")).toBeVisible();
    await expect(student.getByText("Purchase Required")).toBeVisible();
  });

  await test.step("fills the prices from the price service", async () => {
    await admin.getByRole("tab", { name: "Settings" }).click();
    await admin.getByRole("button", { name: "Fetch Bitcoin price" }).click();
    await expect(admin.getByLabel("Bitcoin price (USD)")).toHaveValue("64250.5");
    await admin.getByRole("button", { name: "Fetch Ethereum price" }).click();
    await expect(admin.getByLabel("Ethereum price (USD)")).toHaveValue("3120.25");
  });

  // PRICE-1 to PRICE-3.
  await test.step("is warned of prices that nobody set, and takes both public ones with one button", async () => {
    const warning = admin.getByRole("region", { name: "Coin prices to look at" });
    await admin.getByRole("tab", { name: "Payments" }).click();
    await admin.getByRole("button", { name: "Discard changes" }).click();
    await expect(warning).toContainText("Bitcoin price: never set. Ethereum price: never set.");
    await warning.getByRole("button", { name: "Review prices" }).click();
    const bitcoin = admin.getByRole("region", { name: "Bitcoin price" });
    await expect(bitcoin).toContainText("Never set");
    await admin.getByRole("button", { name: "Fetch and save both prices" }).click();
    await expect(admin.getByText("$3,000 → $3,120.25 (+4.0%)")).toBeVisible();
    await expect(admin.getByText("$45,000 → $64,250.5 (+42.8%)")).toBeVisible();
    await expect(bitcoin).toContainText("$45,000");
    await admin.getByRole("button", { name: "Save $64,250.5 for Bitcoin" }).click();
    await expect(bitcoin).toContainText("$64,250.5");
    await expect(bitcoin).toContainText("Fetched just now");
    await admin.reload();
    await expect(admin.getByLabel("Bitcoin price (USD)")).toHaveValue("64250.5");
    await admin.getByRole("tab", { name: "Payments" }).click();
    await expect(warning).toBeHidden();
  });

  await test.step("deletes the film after being asked", async () => {
    await admin.getByRole("tab", { name: "Videos" }).click();
    await admin.getByRole("button", { name: "Delete Calm before the first trade" }).click();
    await expect(admin.getByText("Are you sure you want to delete this video?")).toBeVisible();
    await admin.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
    await expect(student.getByText("Calm before the first trade")).toBeHidden();
  });

  await test.step("deletes the student, whose open page is signed out", async () => {
    await admin.getByRole("tab", { name: "Users" }).click();
    await admin.getByRole("button", { name: `Delete ${malee.email}` }).click();
    await expect(admin.getByText("Are you sure you want to delete this user? This action cannot be undone.")).toBeVisible();
    await confirmDeletion(admin);
    await expect(admin.getByRole("button", { name: `Delete ${malee.email}` })).toHaveCount(0);
    await expect(student).toHaveURL(/\/auth(\?|$)/);
  });
});
