import { expect, it } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { duplicatesOf, nextOrderIndex, type Draft } from "./draft.ts";

const video = (title: string, module: string, order_index: number, more: Partial<Video> = {}): Video =>
  ({ id: title, title, module, order_index, ...more }) as Video;
const course = [
  video("Pips", "Basics", 1, { video_url: "https://films.example/pips" }),
  video("Lots", "Basics", 7, { film_filename: "lots.mp4" }),
  video("Five waves", "Waves", 1),
];
const draft: Draft = { title: "New", module: "Basics", order_index: "8", video_url: "", file: undefined };

// VIDEOS-4
it("proposes the number after the last one of the module", () => {
  expect(["Basics", " Waves ", "A new one"].map((module) => nextOrderIndex(course, module))).toEqual([8, 2, 1]);
});

it.each<[string, Partial<Draft>, string[]]>([
  ["nothing", {}, []],
  ["no title, number and address", { title: "", order_index: "", video_url: "" }, []],
  ["the title of a video in the module", { title: " pips " }, ["“Pips” has this title in the same module."]],
  ["the title of a video in another module", { title: "Five waves" }, []],
  ["the number of a video in the module", { order_index: "7" }, ["“Lots” has this order index in the same module."]],
  ["an address, written in another way", { video_url: "HTTPS://films.example:443/pips" }, ["“Pips” has the same address."]],
  [
    "the name of a film's file",
    { module: "Waves", order_index: "2", file: new File(["x"], "lots.mp4") },
    ["“Lots” has a film of the same file name."],
  ],
])("reports what a draft has in common with others: %s", (_what, fields, sentences) => {
  expect(duplicatesOf({ ...draft, ...fields }, course)).toEqual(sentences);
});
