import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { pay, setUpWallets } from "../../../../../tests/support/payments.ts";
import { outcome, student, type Person } from "../../../../../tests/support/people.ts";

const daySeconds = 24 * 3600;

let course: Course;
beforeAll(async () => {
  course = await startCourse();
  await setUpWallets(course.operator);
});
afterAll(() => course?.app.close());

const save = (who: Person, id: string, position_seconds: number, more: Record<string, unknown> = {}): Promise<unknown> =>
  who.call("PUT", `/api/videos/${id}/progress`, { position_seconds, duration_seconds: 100, ...more });

// PATH-5
describe("the statistics of videos", () => {
  const statisticsOf = async (id: string): Promise<unknown> => {
    const { videos } = (await course.operator.call("GET", "/api/videos/statistics")).body;
    return videos.find(({ video_id }: { video_id: string }) => video_id === id);
  };

  it("counts who began a video, who is done, and how far the others came", async () => {
    const { id } = await course.add();
    const other = await course.add();
    for (const position of [0, 9.99, 10, 55, 89.9]) await save(await student(course.app), id, position);
    const back = await student(course.app);
    await save(back, id, 71);
    await save(back, id, 3);
    await save(course.starter, id, 95);
    await save(course.advanced, id, 20, { done: true });
    expect(await statisticsOf(id)).toEqual({
      video_id: id,
      started: 8,
      done: 2,
      stopped: [2, 1, 0, 0, 0, 1, 0, 1, 1, 0],
    });
    expect(await statisticsOf(other.id)).toBeUndefined();
  });

  it("counts who watched to the end but marked it as not done in the last tenth", async () => {
    const { id } = await course.add();
    await save(course.starter, id, 100, { done: false });
    expect(await statisticsOf(id)).toMatchObject({ started: 1, done: 0, stopped: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] });
  });

  it("counts in a film that replaced a longer one how far a student came in it", async () => {
    const { id } = await course.add();
    await save(course.starter, id, 80);
    await save(course.starter, id, 5, { duration_seconds: 50 });
    expect(await statisticsOf(id)).toMatchObject({ started: 1, stopped: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0] });
  });

  it("counts beginners of a film of unknown length, and never the admin", async () => {
    const { id } = await course.add();
    await save(course.operator, id, 50);
    expect(await statisticsOf(id)).toBeUndefined();
    await save(course.starter, id, 0, { duration_seconds: 0 });
    expect(await statisticsOf(id)).toEqual({ video_id: id, started: 1, done: 0, stopped: Array(10).fill(0) });
  });
});

// PATH-6
describe("the students who have not begun", () => {
  const list = async (query = ""): Promise<any> => (await course.operator.call("GET", `/api/students-not-begun${query}`)).body;
  const listed = async (who: Person): Promise<any> => (await list("?limit=100")).items.find(({ id }: any) => id === who.id);
  /** A payment of theirs that was approved so many seconds ago. */
  const approved = async (who: Person, secondsAgo: number, package_type: "starter" | "advanced" = "starter"): Promise<Date> => {
    const { body } = await pay(who, { package_type });
    expect((await course.operator.call("POST", `/api/payment-requests/${body.id}/approve`, {})).status).toBe(200);
    const at = new Date(course.app.clock.now().getTime() - secondsAgo * 1000);
    await course.app.sql("update payment_requests set decided_at = $2 where id = $1", [body.id, at]);
    return at;
  };
  const approvedStudent = async (secondsAgo: number): Promise<Person> => {
    const someone = await student(course.app);
    await approved(someone, secondsAgo);
    return someone;
  };

  it("lists students from a week after their approval until they begin a lesson", async () => {
    const early = await approvedStudent(7 * daySeconds - 1);
    const late = await student(course.app);
    const approvedAt = await approved(late, 7 * daySeconds);
    expect(await listed(early)).toBeUndefined();
    expect(await listed(late)).toEqual({
      id: late.id,
      email: late.email,
      full_name: "Somchai Student",
      subscription_status: "starter",
      approved_at: approvedAt.toISOString(),
      days_since_approval: 7,
    });
    await save(late, (await course.add()).id, 0);
    expect(await listed(late)).toBeUndefined();
  });

  it("lists students by their first approval, also after an upgrade", async () => {
    const upgraded = await approvedStudent(10.9 * daySeconds);
    await approved(upgraded, 60, "advanced");
    expect(await listed(upgraded)).toMatchObject({ subscription_status: "advanced", days_since_approval: 10 });
  });

  it("lists no student whose tier was set by hand or taken away", async () => {
    const demoted = await approvedStudent(8 * daySeconds);
    expect(await listed(demoted)).toBeDefined();
    await course.app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [demoted.id]);
    expect(await listed(demoted)).toBeUndefined();
    expect(await listed(course.advanced)).toBeUndefined();
  });

  it("lists students who have not begun in pages without gaps", async () => {
    // Two with the same time.
    for (const days of [8, 9, 9, 30, 400]) await approvedStudent(days * daySeconds);
    const whole = (await list("?limit=100")).items;
    const times = whole.map(({ approved_at }: { approved_at: string }) => approved_at);
    expect(times.length).toBeGreaterThanOrEqual(5);
    expect(times).toEqual(times.toSorted().toReversed());
    const paged: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: any = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      paged.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(whole);
    expect(outcome(await course.operator.call("GET", "/api/students-not-begun?cursor=x"))).toEqual([400, "invalid_input"]);
  });
});
