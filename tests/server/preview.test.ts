import { afterAll, beforeAll, expect, it } from "vitest";
import { startCourse, type Course } from "../support/course/start-course.ts";
import { outcome } from "../support/people.ts";

let course: Course;
beforeAll(async () => {
  course = await startCourse();
  for (const [index, package_type] of ["both", "starter", "advanced"].entries()) {
    await course.add({ package_type, title: package_type, order_index: index + 1 });
  }
  for (const audience of ["everyone", "starter", "advanced"]) {
    const news = { title: audience, text: "T", audience, mail: false };
    await course.operator.call("POST", "/api/news", news, { "idempotency-key": audience });
  }
  const live = { date: "2100-01-01", time: "19:00", time_zone: "Asia/Bangkok", duration_minutes: 60, weekly: false };
  const texts = { title: "Live", description: "D", join_url: "https://meet.example/x" };
  await course.operator.call("POST", "/api/live-sessions", { ...live, ...texts });
});
afterAll(() => course?.app.close());

const lists = ["/api/videos", "/api/news", "/api/live-sessions/occurrences"];

// VIDEOS-5
it.each(["unpaid", "starter", "advanced"] as const)("the preview of %s has what such a student reads", async (tier) => {
  await course.operator.call("PUT", `/api/videos/${await anyVideo()}/progress`, { position_seconds: 9, duration_seconds: 60 });
  for (const path of lists) {
    const own = (await course[tier].call("GET", path)).body.items;
    const preview = (await course.operator.call("GET", `${path}?as=${tier}`)).body.items;
    expect(own.length).toBeGreaterThan(0);
    // The students of this test signed up after the news.
    const comparable = (items: any[]) => items.map(({ unread: _unread, ...item }) => item);
    expect(comparable(preview)).toEqual(comparable(own));
  }
});

it("refuses the preview to students and with an unknown tier", async () => {
  for (const path of lists) {
    expect(outcome(await course.advanced.call("GET", `${path}?as=advanced`))).toEqual([403, "not_allowed"]);
    expect(outcome(await course.unpaid.call("GET", `${path}?as=advanced`))).toEqual([403, "not_allowed"]);
    expect(outcome(await course.operator.call("GET", `${path}?as=gold`))).toEqual([400, "invalid_input"]);
  }
});

it("reads the course as the admin again without a tier", async () => {
  const items = (await course.operator.call("GET", "/api/videos")).body.items;
  expect(items.every((video: { playable: boolean }) => video.playable)).toBe(true);
});

async function anyVideo(): Promise<string> {
  return (await course.operator.call("GET", "/api/videos")).body.items[0].id;
}
