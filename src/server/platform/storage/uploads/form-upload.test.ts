import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { request, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { loseReplyToCommit } from "../../../../../tests/support/database/lost-commit.ts";
import { admin, student, unverifiedStudent, visitor, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { pngOf } from "../../../../../tests/support/uploads.ts";
import { soon } from "../../../../../tests/support/soon.ts";

let app: TestApp;
let buyer: Person;

beforeAll(async () => {
  app = await startApp({ environment: { MAX_SCREENSHOT_BYTES: "500000" } });
  buyer = await student(app);
});
afterAll(() => app?.close());

const address = "/storage/v1/object/payment-screenshots";
const folder = (): string => join(app.deps.config.files.dataDir, "objects");

const formWith = (bytes: Buffer, filename = "paid.png", field = "file"): FormData => {
  const form = new FormData();
  form.set("note", "first transfer");
  form.set(field, new Blob([new Uint8Array(bytes)], { type: "image/png" }), filename);
  form.set("after", "the file");
  return form;
};

const post = (form: unknown, who = buyer): Promise<Answer> => who.call("POST", address, form);

/** Sends the beginning of a form with a file, in chunks where it has no length. */
function begin(bytes: Buffer, field = "file", length: OutgoingHttpHeaders = {}): ClientRequest {
  const authorization = `Bearer ${buyer.accessToken}`;
  const headers = { authorization, "content-type": "multipart/form-data; boundary=cut", ...length };
  const sending = request(new URL(address, app.url), { method: "POST", headers });
  sending.on("error", () => {});
  const disposition = `content-disposition: form-data; name="${field}"; filename="a.png"`;
  sending.write(`--cut\r\n${disposition}\r\ncontent-type: image/png\r\n\r\n`);
  sending.write(bytes);
  return sending;
}

/** Sends the beginning of a form of 400,000 bytes, then goes away. */
async function goAwayAfter(bytes: Buffer): Promise<void> {
  const sending = begin(bytes, "file", { "content-length": 400_000 });
  await soon(async () => expect(await readdir(folder())).toHaveLength(1));
  sending.destroy();
}

describe("a screenshot in one form", () => {
  it("stores the file of a form byte by byte", async () => {
    const bytes = pngOf(300_000);
    const answer = await post(formWith(bytes, "Überweisung.PNG"));
    expect(answer.status).toBe(201);
    const id: string = answer.body.upload_id;
    const [object] = await app.sql<any>("select * from stored_objects where id = $1", [id]);
    expect(object).toMatchObject({
      owner_id: buyer.id,
      filename: "Überweisung.PNG",
      content_type: "image/png",
      size: "300000",
    });
    expect(object.name).toMatch(new RegExp(`^${buyer.id}-\\d{13}\\.png$`));
    expect(bytes.equals(await readFile(join(folder(), id)))).toBe(true);
    await app.sql("delete from stored_objects");
    await app.deps.objects.remove(id);
  });

  it.each([
    ["is no image", formWith(Buffer.alloc(200_000, "no image ")), 415, "Please upload an image file"],
    [
      "is an SVG image",
      formWith(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "a.svg"),
      415,
      "Please upload an image file",
    ],
    ["is as large as the limit", formWith(pngOf(500_000)), 413, "File size must be less than 488.2KB"],
    ["is far larger", formWith(pngOf(3_000_000)), 413, "File size must be less than 488.2KB"],
    ["is empty", formWith(Buffer.alloc(0)), 400, "This file is empty."],
    ["was not chosen", formWith(Buffer.alloc(0), ""), 400, "Please upload a payment screenshot"],
    ["stands in another field", formWith(pngOf(5000), "a.png", "picture"), 400, "Please upload a payment screenshot"],
    ["is not in a form at all", { file: "a.png" }, 400, "Please upload a payment screenshot"],
  ])("refuses a form whose file %s, and keeps nothing", async (_what, form, status, error) => {
    const answer = await post(form);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(await readdir(folder())).toEqual([]);
    expect(await app.sql("select 1 from stored_objects")).toEqual([]);
  });

  it("a form whose sender disconnects leaves nothing behind", async () => {
    await goAwayAfter(pngOf(100_000));
    await soon(async () => expect(await readdir(folder())).toEqual([]));
    expect(await app.sql("select 1 from stored_objects")).toEqual([]);
  });

  it("cuts off a form without a length that goes on beyond the largest file", async () => {
    const sending = begin(pngOf(2_000_000), "picture");
    const answered = vi.fn<() => void>();
    sending.on("response", answered);
    await new Promise((resolve) => sending.on("close", resolve));
    await soon(async () => expect(await app.sql("select 1 from unfinished_uploads")).toEqual([]));
    expect(answered).not.toHaveBeenCalled();
    expect(await readdir(folder())).toEqual([]);
  });

  it("refuses a file without a length that is too large, and reads the rest", async () => {
    const sending = begin(pngOf(600_000)).end("\r\n--cut--");
    const [reply] = (await once(sending, "response")) as [IncomingMessage];
    const { code, error } = JSON.parse(await text(reply));
    expect([reply.statusCode, code, error]).toEqual([413, "screenshot_too_large", "File size must be less than 488.2KB"]);
    expect(await readdir(folder())).toEqual([]);
  });

  it("keeps the file of a form whose row is stored, but not known to be", async () => {
    const isLost = loseReplyToCommit(app, /insert into "stored_objects"/);
    expect((await post(formWith(pngOf(5000)))).status).toBe(503);
    expect(isLost()).toBe(true);
    const rows = await app.sql<{ id: string }>("delete from stored_objects returning id");
    expect(await readdir(folder())).toEqual(rows.map(({ id }) => id));
    expect(rows).toHaveLength(1);
    await app.deps.objects.remove(rows[0]!.id);
  });

  it("a form that breaks off after its file leaves nothing behind", async () => {
    const answer = await buyer.call("POST", address, formWith(pngOf(5000)), {
      "content-type": "multipart/form-data; boundary=other",
    });
    expect(answer.status).toBe(400);
    expect(await readdir(folder())).toEqual([]);
  });

  it("a form that fails while nothing can be removed is not unfinished", async () => {
    const { remove } = app.deps.objects;
    app.deps.objects.remove = () => Promise.reject(new Error("The store is away."));
    const answer = await post(formWith(Buffer.from("no picture")));
    app.deps.objects.remove = remove;
    expect(answer.body.code).toBe("screenshot_type_invalid");
    expect(await app.sql("select id from unfinished_uploads")).toEqual([]);
  });

  it("accepts a form from a verified student only", async () => {
    expect((await post(formWith(pngOf(100)), visitor(app))).status).toBe(401);
    expect((await post(formWith(pngOf(100)), await unverifiedStudent(app))).body.code).toBe("email_not_verified");
    expect((await post(formWith(pngOf(100)), await admin(app))).body.code).toBe("not_allowed");
    expect((await buyer.call("POST", "/storage/v1/object/course-videos", formWith(pngOf(100)))).status).toBe(404);
  });

  it("limits the forms of one student in an hour", async () => {
    const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
    const eager = await student(limited);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await post(formWith(pngOf(100)), eager)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    await limited.close();
  });
});
