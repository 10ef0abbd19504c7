import { expect, it } from "vitest";
import * as z from "zod/mini";
import { maxPosterBytes } from "../../materials/attachment.ts";
import { maxCaptionBytes } from "../../materials/webvtt.ts";
import { NewCaptions, NewPoster } from "./materials.ts";
import { modules } from "./modules.ts";
import { NewsText, PublishNews } from "./news.ts";
import { maxSelectedVideos, NewVideo, SavedProgress, SharedChanges } from "./videos.ts";

/** The codes of what is wrong with an input. */
const faults = (schema: z.ZodMiniType, input: unknown): string[] | undefined =>
  z.safeParse(schema, input).error?.issues.map(({ message }) => message);
const isTaken = (schema: z.ZodMiniType, input: unknown): boolean => z.safeParse(schema, input).success;

const news = { title: "T".repeat(120), text: "T".repeat(5000), audience: "everyone" };

// NEWS-1
it("publishes an announcement with title and text, by mail only if wanted", () => {
  expect(z.parse(PublishNews, news)).toEqual({ ...news, mail: false });
  expect(z.parse(PublishNews, { ...news, mail: true })).toEqual({ ...news, mail: true });
  expect([faults(NewsText, { ...news, title: " " }), faults(NewsText, { ...news, text: " " })]).toEqual([
    ["title_missing"],
    ["text_missing"],
  ]);
  for (const given of [{ title: `${news.title}T` }, { text: `${news.text}T` }]) {
    expect(faults(NewsText, { ...news, ...given })).toEqual(["text_too_long"]);
  }
  expect(isTaken(NewsText, { ...news, audience: "unpaid" })).toBe(false);
});

// FILE-13, FILE-15
it("takes captions and posters below their sizes", () => {
  const fileOf = (bytes: number): File => new File([new Uint8Array(bytes)], "a");
  const [captions, poster] = [NewCaptions.shape.file, NewPoster.shape.file];
  expect([faults(captions, fileOf(maxCaptionBytes)), faults(poster, fileOf(maxPosterBytes))]).toEqual([
    ["captions_too_large"],
    ["poster_too_large"],
  ]);
  expect([isTaken(captions, fileOf(maxCaptionBytes - 1)), isTaken(poster, fileOf(maxPosterBytes - 1))]).toEqual([true, true]);
  expect(faults(poster, "text")).toEqual(["poster_invalid"]);
});

it("asks whom a lesson is for, and changes a hundred at once", () => {
  expect(faults(NewVideo.shape.package_type, "all")).toEqual(["package_missing"]);
  expect(maxSelectedVideos).toBe(100);
});

it("names captions in at most 60 characters, and asks for their file", () => {
  const { label, file } = NewCaptions.shape;
  expect([faults(label, " "), faults(label, "a".repeat(61)), z.parse(label, "a".repeat(60))]).toEqual([
    ["language_name_missing"],
    ["text_too_long"],
    "a".repeat(60),
  ]);
  expect(faults(file, "text")).toEqual(["captions_file_missing"]);
});

// WATCH-1
it("saves positions from 0 to a day, within the film", () => {
  const day = 86_400;
  const places = [
    [0, 0],
    [day, day],
    [61, 60],
    [0.5, 60],
  ];
  for (const [position_seconds, duration_seconds] of places) {
    expect(isTaken(SavedProgress, { position_seconds, duration_seconds })).toBe(true);
  }
  const nowhere = [
    [-1, 60],
    [0, -1],
    [day + 1, day],
    [1, day + 1],
    [61.1, 60],
  ];
  for (const [position_seconds, duration_seconds] of nowhere) {
    expect(isTaken(SavedProgress, { position_seconds, duration_seconds })).toBe(false);
  }
});

it("places lessons by whole numbers from 1 to a million", () => {
  const { order_index } = NewVideo.shape;
  expect([1, 1_000_000].map((place) => isTaken(order_index, place))).toEqual([true, true]);
  expect([faults(order_index, 0), isTaken(order_index, 1.5), isTaken(order_index, 1_000_001)]).toEqual([
    ["order_index_too_small"],
    false,
    false,
  ]);
});

// VIDEOS-2
it("names no module by dots alone, and orders those that have such a name", () => {
  const rename = modules.rename["~orpc"].inputSchema as z.ZodMiniType;
  const order = modules.order["~orpc"].inputSchema as z.ZodMiniType;
  const body = (name: string): object => ({ params: { module: "M" }, body: { name } });
  for (const name of [".", "..", " .. "]) {
    expect([faults(NewVideo.shape.module, name), faults(rename, body(name))]).toEqual([["module_dots"], ["module_dots"]]);
    expect(isTaken(order, { modules: [name] })).toBe(true);
  }
  for (const name of ["...", ".a", "a.", "a"]) expect(isTaken(rename, body(name))).toBe(true);
  expect(faults(NewVideo.shape.module, " ")).toEqual(["module_missing"]);
});

// VIDEOS-3
it("changes selected lessons by a module, a package or both", () => {
  const [module, package_type] = ["M", "advanced"];
  const some = [{ module }, { package_type }, { module, package_type }, { module, package_type: undefined }];
  expect(some.map((changes) => isTaken(SharedChanges, changes))).toEqual([true, true, true, true]);
  expect([isTaken(SharedChanges, {}), isTaken(SharedChanges, { module: undefined })]).toEqual([false, false]);
});

// PATH-1
it("orders at most a thousand named modules, and at most a thousand videos", () => {
  const order = modules.order["~orpc"].inputSchema as z.ZodMiniType;
  const orderVideos = modules.orderVideos["~orpc"].inputSchema as z.ZodMiniType;
  const id = "0b7d6c1e-8f0a-4f7e-9d52-0d6d3a1c2b3f";
  const videosOf = (count: number): object => ({ params: { module: "M" }, body: { ids: Array<string>(count).fill(id) } });
  const modulesOf = (count: number): object => ({ modules: Array<string>(count).fill("M") });
  expect([isTaken(order, modulesOf(1000)), isTaken(orderVideos, videosOf(1000))]).toEqual([true, true]);
  expect([isTaken(order, modulesOf(1001)), isTaken(orderVideos, videosOf(1001))]).toEqual([false, false]);
  expect(faults(order, { modules: [" "] })).toEqual(["module_missing"]);
});
