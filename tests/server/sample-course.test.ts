import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { NewVideo } from "#domain/api/course/videos";
import { WalletSettingsForm } from "#domain/api/payments/wallet-settings";
import { moduleNames } from "#domain/texts/texts";
import { sampleWalletSettings } from "#domain/payment-methods/sample";

const samplesDir = resolve(import.meta.dirname, "../../samples");

interface Lesson {
  module: string;
  order_index: number;
  title: string;
  package_type: string;
  video: string;
}
const { lessons } = JSON.parse(await readFile(join(samplesDir, "course.json"), "utf8")) as { lessons: Lesson[] };

describe("the sample course", () => {
  it("has at least twelve lessons over the dashboard's modules, for every package", () => {
    expect(lessons.length).toBeGreaterThanOrEqual(12);
    expect(new Set(lessons.map(({ module }) => module))).toEqual(new Set(moduleNames));
    expect(new Set(lessons.map((lesson) => lesson.package_type))).toEqual(new Set(["both", "starter", "advanced"]));
    expect(new Set(lessons.map(({ module, order_index }) => `${module} ${order_index}`)).size).toBe(lessons.length);
    expect(new Set(lessons.map(({ video }) => video)).size).toBe(lessons.length);
  });

  it.each(lessons)("$title: is what the admin's form would take", (lesson) => {
    expect(NewVideo.safeParse({ ...lesson, upload_id: crypto.randomUUID() }).error).toBeUndefined();
  });

  it.each(lessons)("$video: is a small film that begins to play at once", async ({ video }) => {
    const bytes = await readFile(join(samplesDir, "videos", video));
    expect(bytes.length).toBeLessThan(150 * 1024);
    expect(bytes.subarray(4, 8).toString()).toBe("ftyp");
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
    expect(bytes.indexOf("avc1")).toBeGreaterThan(0);
  });

  it("has wallet settings that the form would take", () => {
    expect(WalletSettingsForm.safeParse(sampleWalletSettings).error).toBeUndefined();
  });
});
