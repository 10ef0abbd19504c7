import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { everyCall, inputWith, positionsOf, type ApiCall } from "../support/calls.ts";
import { setUpWallets } from "../support/payments.ts";
import { admin, student, type Person } from "../support/people.ts";

let app: TestApp;
let operator: Person;
let buyer: Person;
let tables: string[];
let sent = 0;

beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
  buyer = await student(app);
  await setUpWallets(operator);
  const found = await app.sql<{ tablename: string }>("select tablename from pg_tables where schemaname = 'public'");
  tables = found.map(({ tablename }) => tablename);
});
afterAll(() => app?.close());

const hangMs = 15_000;

interface HostileRequest {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
}

/** Sends one request and checks what every reply keeps to: it comes, it is no 5xx, and an error has its API's form. */
async function send(request: HostileRequest, person?: Person): Promise<number> {
  sent += 1;
  const headers = { ...(person ? { authorization: `Bearer ${person.accessToken}` } : {}), ...request.headers };
  let timer: NodeJS.Timeout | undefined;
  const hang = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No reply to ${JSON.stringify(request).slice(0, 500)}`)), hangMs);
  });
  const reply = await Promise.race([app.server.inject({ ...request, headers }), hang]);
  clearTimeout(timer);
  const { statusCode: status, body } = reply;
  const about = `${JSON.stringify(request).slice(0, 500)} -> ${status} ${body.slice(0, 300)}`;
  expect(status, about).toBeLessThan(500);
  if (status >= 400 && request.method !== "HEAD") {
    const isAuth = request.url.startsWith("/auth/v1/");
    const form = isAuth
      ? { code: expect.any(String), message: expect.any(String) }
      : { code: expect.any(String), error: expect.any(String) };
    expect(JSON.parse(body), about).toMatchObject(form);
  }
  return status;
}

/** A mark of every row in every table: it differs after any insert, update or delete. */
async function rowsNow(): Promise<unknown> {
  const parts = tables.map(
    (name) => `select '${name}' as name, count(*) as rows, sum(xmin::text::bigint) as mark from "${name}"`,
  );
  return app.sql(parts.join(" union all "));
}

/** Percent-encoded UTF-8, also of what has none: lone surrogates as the three bytes that a careless encoder writes. */
function percentEncoded(text: string): string {
  return text.replace(/[^\w.~-]/gu, (character) =>
    /\p{Surrogate}/u.test(character) ? "%ED%A0%80" : encodeURIComponent(character).replace(/^\.$/, "%2E"),
  );
}

function requestOf(call: ApiCall, input: ApiCall["input"]): HostileRequest {
  const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) => percentEncoded(textOf((input.params as never)[name])));
  const pairs = Object.entries(input.query ?? {});
  const query = pairs.map(([name, value]) => `${name}=${percentEncoded(textOf(value))}`).join("&");
  const body = input.body === undefined ? {} : { payload: JSON.stringify(input.body) };
  return {
    method: call.method as HostileRequest["method"],
    url: path + (query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`),
    headers: {
      ...(input.body === undefined ? {} : { "content-type": "application/json" }),
      ...(input.headers as Record<string, string> | undefined),
    },
    ...body,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

const calls = everyCall();
const contractCalls = calls.filter(({ path }) => !path.startsWith("/auth/"));

/** Who gets past the access check, so that the input is what is refused. */
const personFor = ({ name }: ApiCall): Person =>
  /^(quotes|paymentRequests\.(submit|mine)|auth|account)/.test(name) ? buyer : operator;

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

const malformed = ["\0", "a\0b", "\ud800", "a\udfffb", "\udc00\ud800"];

const odd = [
  "",
  "'; drop table accounts; --",
  "%\\",
  "a\nb\r\nc: d",
  "\u202e\u2066\ufeff",
  "x".repeat(3000),
  "👩‍👩‍👧".repeat(20),
  "1e400",
  "../-1",
];

const oddJson: unknown[] = [null, ["a"], { a: { b: "c" } }, -1, Number.MAX_VALUE, true];

describe("hostile input", { timeout: 120_000 }, () => {
  it("refuses NUL and lone surrogates everywhere with 400 and changes no row", async () => {
    const before = await rowsNow();
    for (const call of calls) {
      for (const position of positionsOf(call)) {
        for (const text of malformed) {
          const request = requestOf(call, inputWith(call, position, text));
          expect(await send(request, personFor(call)), `${call.name} ${position.join(".")}`).toBe(400);
        }
      }
    }
    expect(await rowsNow()).toEqual(before);
  });

  it("never fails on odd values and changes no row where it refuses them", async () => {
    let before = await rowsNow();
    for (const call of contractCalls) {
      const sendAll = async (inputs: ApiCall["input"][]): Promise<ApiCall["input"][]> => {
        const refused: ApiCall["input"][] = [];
        for (const input of inputs) if ((await send(requestOf(call, input), personFor(call))) >= 400) refused.push(input);
        return refused;
      };
      for (const position of positionsOf(call)) {
        const values = [...odd, ...(position[0] === "body" ? oddJson : [])];
        const inputs = values.map((value) => inputWith(call, position, value));
        const refused = await sendAll(inputs);
        // What was accepted may have changed rows, so what was refused is sent again by itself.
        if (refused.length < inputs.length) {
          before = await rowsNow();
          expect(await sendAll(refused)).toEqual(refused);
        }
        expect(await rowsNow(), `${call.name} ${position.join(".")}`).toEqual(before);
      }
    }
  });

  it("refuses bodies that are no JSON of the expected kind", async () => {
    const before = await rowsNow();
    for (const call of calls.filter(({ input }) => input.body !== undefined)) {
      const { headers, url, ...request } = requestOf(call, call.input);
      const valid = JSON.stringify(call.input.body);
      const bodies: [type: string, payload: string | Buffer][] = [
        ["application/json", "{"],
        ["application/json", `\ufeff${valid}`],
        ["application/json", Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
        ["application/json", `{"x":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
        ["application/json", `${'{"x":'.repeat(10_000)}1${"}".repeat(10_000)}`],
        ["application/json", valid.replace("{", '{"__proto__":{"isAdmin":true},')],
        ["application/json", valid.replace("{", '{"a":{"constructor":{"prototype":{}}},')],
        ["application/json", '"text"'],
        ["application/json", "1e400"],
        ["application/json", "[]"],
        ["application/json; charset=utf-16le", Buffer.from(valid, "utf16le")],
        ["text/plain", valid],
        ["application/x-www-form-urlencoded", "a=b"],
        ["multipart/form-data", valid],
        ["text/event-stream", "data: 1\n\n"],
        ["no type at all", valid],
      ];
      for (const [type, payload] of bodies) {
        const status = await send({ ...request, url, headers: { ...headers, "content-type": type }, payload }, personFor(call));
        expect(status, `${call.name} ${type} ${payload.toString().slice(0, 60)}`).toBeGreaterThanOrEqual(400);
      }
    }
    expect(await rowsNow()).toEqual(before);
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });

  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
  const brokenPaths = ["/%ED%A0%80", "%zz", "%", "/%C0%80"];
  const brokenQueries = ["x=%00", "%ED%A0%80=x", "x=%zz"];
  const isRead = (method: string): boolean => ["GET", "HEAD"].includes(method);
  const isCall = (path: string): boolean => /^\/(api|auth|functions|storage)\//.test(path);

  it("refuses addresses that cannot be decoded, unless a page is read", async () => {
    const before = await rowsNow();
    for (const path of new Set([...calls.map((call) => requestOf(call, call.input).url), ...otherPaths, ...pagePaths])) {
      const queries = brokenQueries.map((query) => (path.includes("?") ? "&" : "?") + query);
      for (const method of methods) {
        // A page may be read with any query (web-app.test.ts).
        const isPage = isRead(method) && pagePaths.includes(path);
        const suffixes = ["%00", ...(isPage ? [] : queries), ...(isCall(path) ? brokenPaths : [])];
        for (const suffix of suffixes) expect(await send({ method, url: path + suffix }, operator), path + suffix).toBe(400);
      }
    }
    expect(await rowsNow()).toEqual(before);
  });

  it("returns 404 for a broken path that belongs to no call", async () => {
    const paths = [...otherPaths.filter((path) => !isCall(path) && !path.includes("?")), ...pagePaths];
    for (const path of paths) {
      for (const method of methods) {
        const status = isRead(method) ? 404 : 400;
        for (const suffix of brokenPaths) {
          expect(await send({ method, url: path + suffix }, operator), `${method} ${path}${suffix}`).toBe(status);
        }
      }
    }
  });

  it("never fails on odd queries, long paths and odd headers", async () => {
    const before = await rowsNow();
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
      for (const query of queries) await send({ method: "GET", url: path + joint + query }, operator);
      await send({ method: "GET", url: `${path}/${"a".repeat(9000)}` }, operator);
      await send({ method: "GET", url: `/${path}` }, operator);
      for (const name of [
        "idempotency-key",
        "last-event-id",
        "user-agent",
        "if-none-match",
        "range",
        "host",
        "content-disposition",
      ]) {
        const url = path;
        expect(await send({ method: "GET", url, headers: { [name]: "a\0b" } }, operator)).toBe(400);
        await send({ method: "GET", url, headers: { [name]: "\u00ff\u0080;=\"'" } }, operator);
      }
    }
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    expect(await rowsNow()).toEqual(before);
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
        expect(await send(request, personFor(call)), `${call.name} ${cursor}`).toBe(400);
      }
    }
  });

  it("keeps uploads from storing text that the database cannot", async () => {
    const before = await rowsNow();
    const metadata = (filename: string) =>
      `bucketName ${btoa("payment-screenshots")},filetype ${btoa("image/png")},filename ${Buffer.from(filename, "latin1").toString("base64")}`;
    const upload = { method: "POST" as const, url: "/storage/v1/upload/resumable" };
    const headers = { "tus-resumable": "1.0.0", "upload-length": "67" };
    for (const value of ["%%%", "bucketName", "a b c", `${metadata("a")},${metadata("b")}`, ", ,", "x".repeat(5000), "a\0b"]) {
      await send({ ...upload, headers: { ...headers, "upload-metadata": value } }, buyer);
    }
    for (const length of ["-1", "1e3", "9".repeat(30), "0x10", ""]) {
      const status = await send(
        { ...upload, headers: { ...headers, "upload-length": length, "upload-metadata": metadata("a") } },
        buyer,
      );
      expect(status).toBeGreaterThanOrEqual(400);
    }
    for (const name of ["a\0b", "\xed\xa0\x80", "\xff\xfe"]) {
      const status = await send({ ...upload, headers: { ...headers, "upload-metadata": metadata(name) } }, buyer);
      expect(status, JSON.stringify(name)).toBe(400);
    }
    for (const id of ["x", "..%2f..", "-".repeat(36), "a".repeat(9000), "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a"]) {
      for (const method of ["HEAD", "PATCH", "DELETE"] as const) {
        await send({ method, url: `${upload.url}/${id}`, headers: { ...headers, "upload-offset": "-1" } }, buyer);
      }
    }
    expect(await rowsNow()).toEqual(before);
  });

  it("never fails on random values at random positions", async () => {
    const spots = calls.flatMap((call) => positionsOf(call).map((position) => ({ call, position })));
    const values = fc.oneof(fc.string({ unit: "binary", maxLength: 50 }), fc.jsonValue({ stringUnit: "binary" }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...spots), values, async ({ call, position }, value) => {
        await send(requestOf(call, inputWith(call, position, value)), personFor(call));
      }),
      { numRuns: 150 },
    );
  });

  it("has sent thousands of requests", () => expect(sent).toBeGreaterThan(4000));
});
