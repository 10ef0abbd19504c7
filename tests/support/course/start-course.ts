import { expect } from "vitest";
import { startApp, type TestApp, type TestAppOptions } from "../app.ts";
import { everyTier, type Answer, type Person } from "../people.ts";
import { mp4Of, uploader } from "../uploads.ts";

export const film = "https://films.example/watch?v=1";

export const lesson = {
  title: "Candles",
  description: "How to read them.",
  module: "Forex Basics",
  order_index: 1,
  package_type: "both",
};

/** The product with its admin and a student of each tier, and what the admin does with videos. */
export interface Course {
  app: TestApp;
  operator: Person;
  unpaid: Person;
  starter: Person;
  advanced: Person;
  add(fields?: Record<string, unknown>): Promise<any>;
  change(id: string, fields: Record<string, unknown>): Promise<Answer>;
  uploadFilm(size?: number): Promise<string>;
}

export async function startCourse(options?: TestAppOptions): Promise<Course> {
  const app = await startApp(options);
  const people = await everyTier(app);
  const { operator } = people;
  return {
    app,
    ...people,
    async add(fields = {}) {
      const source = "upload_id" in fields ? {} : { video_url: film };
      const answer = await operator.call("POST", "/api/videos", { ...lesson, ...source, ...fields });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    },
    change: (id, fields) => operator.call("PATCH", `/api/videos/${id}`, fields),
    uploadFilm: (size = 5000) => uploader(app, operator).upload("course-videos", mp4Of(size), "lesson.mp4"),
  };
}
