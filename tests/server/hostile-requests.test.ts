import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputWith } from "../support/contract/calls.ts";
import { calls, requestOf, startAttackedSite, type AttackedSite } from "../support/attacks/hostile.ts";

let site: AttackedSite;
beforeAll(async () => {
  site = await startAttackedSite();
});
afterAll(() => site?.close());

/** What stands beside the contract and the auth protocol. */
const otherPaths = [
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
  "/mailbox",
  "/mailbox.css",
  "/mailbox.json?to=a@example.com",
  "/api/openapi.json",
  "/storage/v1/object/sign/course-videos/name?token=t",
  `/storage/v1/object/sign/course-videos/${"a".repeat(4000)}?token=t`,
  "/storage/v1/object/payment-screenshots",
  "/storage/v1/upload/resumable",
  "/storage/v1/upload/resumable/0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a",
];

const pagePaths = ["/", "/no/such/page"];

describe("hostile requests", () => {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
  const brokenPaths = ["/%ED%A0%80", "%zz", "%", "/%C0%80"];
  const brokenQueries = ["x=%00", "%ED%A0%80=x", "x=%zz"];
  const isRead = (method: string): boolean => ["GET", "HEAD"].includes(method);
  const isCall = (path: string): boolean => /^\/(api|auth|functions|storage)\//.test(path);

  it("refuses addresses that cannot be decoded, unless a page is read", async () => {
    const before = await site.rowsNow();
    for (const path of new Set([...calls.map((call) => requestOf(call, call.input).url), ...otherPaths, ...pagePaths])) {
      const queries = brokenQueries.map((query) => (path.includes("?") ? "&" : "?") + query);
      for (const method of methods) {
        // A page may be read with any query (web-app.test.ts).
        const isPage = isRead(method) && pagePaths.includes(path);
        const suffixes = ["%00", ...(isPage ? [] : queries), ...(isCall(path) ? brokenPaths : [])];
        for (const suffix of suffixes)
          expect(await site.send({ method, url: path + suffix }, site.operator), path + suffix).toBe(400);
      }
    }
    expect(await site.rowsNow()).toEqual(before);
  });

  it("returns 404 for a broken path that belongs to no call", async () => {
    const paths = [...otherPaths.filter((path) => !isCall(path) && !path.includes("?")), ...pagePaths];
    for (const path of paths) {
      for (const method of methods) {
        const status = isRead(method) ? 404 : 400;
        for (const suffix of brokenPaths) {
          expect(await site.send({ method, url: path + suffix }, site.operator), `${method} ${path}${suffix}`).toBe(status);
        }
      }
    }
  });

  it("never fails on odd queries, long paths and odd headers", async () => {
    const before = await site.rowsNow();
    const paths = [...calls.filter(({ method }) => method === "GET").map((call) => call.path), ...otherPaths];
    const queries = [
      "limit=1&limit=2&cursor=a&cursor=b",
      "__proto__[x]=1&constructor[prototype][x]=1&__proto__=1",
      "limit[toString]=1&limit[valueOf]=1&search[a][b]=1",
      `${"a[".repeat(1000)}=1`,
      "token=a&token=b&to=a&to=b&search=a&search=b",
      "limit=1e400&limit[]=1",
      "x".repeat(8000),
    ];
    for (const path of paths) {
      const joint = path.includes("?") ? "&" : "?";
      for (const query of queries) await site.send({ method: "GET", url: path + joint + query }, site.operator);
      await site.send({ method: "GET", url: `${path}/${"a".repeat(9000)}` }, site.operator);
      await site.send({ method: "GET", url: `/${path}` }, site.operator);
      for (const name of [
        "idempotency-key",
        "last-event-id",
        "user-agent",
        "if-none-match",
        "range",
        "host",
        "content-disposition",
        "x-data-age",
      ]) {
        const url = path;
        expect(await site.send({ method: "GET", url, headers: { [name]: "a\0b" } }, site.operator)).toBe(400);
        await site.send({ method: "GET", url, headers: { [name]: "\u00ff\u0080;=\"'" } }, site.operator);
      }
    }
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    expect(await site.rowsNow()).toEqual(before);
  });

  it("refuses cursors that it did not make", async () => {
    const id = "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a";
    const keys = [
      [],
      [id, id, id, id],
      ["a\0b"],
      ["\ud800"],
      ["-".repeat(36) + "\ud800"],
      ["2026-02-30T00:00:00.000000Z", id],
      ["0000-01-01T00:00:00.000000Z", id],
      ["2026-01-01T00:00:00.000000Z", "-".repeat(36)],
      ["2026-01-01T24:00:00.000000Z", id],
      ["M", "9999999999", id],
      ["M\0", "1", id],
      ["M", "1", "-".repeat(36)],
      [1, 2, 3],
      { length: 1, 0: id },
    ];
    const cursors = ["!", "", ...keys.map((key) => Buffer.from(JSON.stringify(key)).toString("base64url"))];
    const lists = calls.filter(({ input }) => Object.hasOwn(input.query ?? {}, "cursor"));
    expect(lists.length).toBeGreaterThan(3);
    for (const call of lists) {
      for (const cursor of cursors) {
        const request = requestOf(call, inputWith(call, ["query", "cursor"], cursor));
        expect(await site.send(request, site.personFor(call)), `${call.name} ${cursor}`).toBe(400);
      }
    }
  });

  it("keeps uploads from storing text that the database cannot", async () => {
    const before = await site.rowsNow();
    const metadata = (filename: string) =>
      `bucketName ${btoa("payment-screenshots")},filetype ${btoa("image/png")},filename ${Buffer.from(filename, "latin1").toString("base64")}`;
    const upload = { method: "POST" as const, url: "/storage/v1/upload/resumable" };
    const headers = { "tus-resumable": "1.0.0", "upload-length": "67" };
    for (const value of ["%%%", "bucketName", "a b c", `${metadata("a")},${metadata("b")}`, ", ,", "x".repeat(5000), "a\0b"]) {
      await site.send({ ...upload, headers: { ...headers, "upload-metadata": value } }, site.buyer);
    }
    for (const length of ["-1", "1e3", "9".repeat(30), "0x10", ""]) {
      const status = await site.send(
        { ...upload, headers: { ...headers, "upload-length": length, "upload-metadata": metadata("a") } },
        site.buyer,
      );
      expect(status).toBeGreaterThanOrEqual(400);
    }
    for (const name of ["a\0b", "\xed\xa0\x80", "\xff\xfe"]) {
      const status = await site.send({ ...upload, headers: { ...headers, "upload-metadata": metadata(name) } }, site.buyer);
      expect(status, JSON.stringify(name)).toBe(400);
    }
    for (const id of ["x", "..%2f..", "-".repeat(36), "a".repeat(9000), "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a"]) {
      for (const method of ["HEAD", "PATCH", "DELETE"] as const) {
        await site.send({ method, url: `${upload.url}/${id}`, headers: { ...headers, "upload-offset": "-1" } }, site.buyer);
      }
    }
    expect(await site.rowsNow()).toEqual(before);
  });

  it("has sent thousands of requests", () => expect(site.sent()).toBeGreaterThan(2500));
});
