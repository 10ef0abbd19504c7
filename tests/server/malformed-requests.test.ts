import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendBytes } from "../support/attacks/socket.ts";
import { startAttackedSite, type AttackedSite } from "../support/attacks/hostile.ts";

let site: AttackedSite;
let authorized: string;
beforeAll(async () => {
  site = await startAttackedSite();
  authorized = `Host: localhost\r\nAuthorization: Bearer ${site.buyer.accessToken}\r\n`;
});
afterAll(() => site?.close());

const json = "Content-Type: application/json\r\n";
const upload = "Tus-Resumable: 1.0.0\r\nUpload-Length: 67\r\n";

/** Bytes after the request line, with what is wrong about them. */
const malformed: Record<string, (host: string) => string> = {
  "a length that is too long": (host) => `${host}${json}Content-Length: 500\r\n\r\n{}`,
  "a length that is negative": (host) => `${host}Content-Length: -1\r\n\r\n`,
  "a length that is no number": (host) => `${host}Content-Length: 0x10\r\n\r\n`,
  "two lengths": (host) => `${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  "a length and chunks": (host) => `${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  "chunks that end early": (host) => `${host}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a"`,
  "a chunk of a length that is none": (host) => `${host}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  "a header without a colon": (host) => `${host}no colon here\r\n\r\n`,
  "a header with NUL": (host) => `${host}X-Odd: a\0b\r\n\r\n`,
  "a header with a bare line feed": (host) => `${host}X-Odd: a\n b\rc\r\n\r\n`,
  "headers without an end": (host) => `${host}X-Odd: a`,
  "headers that are too large": (host) => `${host}X-Odd: ${"a".repeat(20_000)}\r\n\r\n`,
  "an upload whose body ends early": (host) => `${host}${upload}Content-Length: 67\r\n\r\nabc`,
};

const lines = [
  "GET /api/me HTTP/1.1",
  "POST /auth/v1/token?grant_type=password HTTP/1.1",
  "PUT /auth/v1/user HTTP/1.1",
  "POST /api/quotes HTTP/1.1",
  "POST /storage/v1/upload/resumable HTTP/1.1",
  "POST /storage/v1/object/payment-screenshots HTTP/1.1",
  "GET /storage/v1/object/sign/course-videos/a.mp4?token=t HTTP/1.1",
  "GET / HTTP/1.1",
  "GET /api/me HTTP/9.9",
  "G\0T / HTTP/1.1",
];

describe("bytes that are no whole request", () => {
  it.each(Object.keys(malformed))("replies with an error of the catalogue or closes, and changes no row: %s", async (what) => {
    const before = await site.rowsNow();
    for (const line of lines) {
      const { statusCode, body, headers } = await sendBytes(site.app.url, `${line}\r\n${malformed[what]!(authorized)}`);
      expect(statusCode, line).toBeLessThan(500);
      if (statusCode >= 400 && headers["content-length"] !== undefined) {
        expect(JSON.parse(body), line).toMatchObject({ code: expect.any(String) });
        expect(body, line).not.toContain("statusCode");
      }
    }
    expect((await fetch(`${site.app.url}/healthz`)).status).toBe(200);
    expect(await site.rowsNow()).toEqual(before);
  });

  it.each([
    ["headers that are too large", 431, "headers_too_large"],
    ["two lengths", 400, "invalid_input"],
    ["a length that is too long", 400, "invalid_input"],
  ])("replies to %s with %i %s", async (what, status, code) => {
    const { statusCode, body } = await sendBytes(site.app.url, `POST /api/quotes HTTP/1.1\r\n${malformed[what]!(authorized)}`);
    expect([statusCode, JSON.parse(body)]).toEqual([status, { code, error: expect.any(String) }]);
  });
});
