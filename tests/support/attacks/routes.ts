import fc, { type Arbitrary } from "fast-check";
import { exportNames } from "#domain/api/exports";
import { pages } from "#server/platform/http/pages/web-app";
import { calls, requestOf } from "./hostile.ts";
import { tinyPng } from "../payments.ts";
import { hostileValue, inputsFor } from "./inputs.ts";
import type { HostileRequest } from "./request.ts";

/** A route of the running app, and the requests that are sent to it. */
export interface AttackedRoute {
  method: string;
  /** As registered, with `{name}` or `:name` where a parameter stands. */
  path: string;
  /** Open to anybody, so that callers without a session may succeed. */
  isOpen: boolean;
  requests: Arbitrary<HostileRequest>;
}

/** What exists on the site, for requests that come further than "not found". */
export interface Known {
  /** Ids, names, addresses, tokens. */
  values: readonly string[];
  filmLink: string;
  uploadId: string;
}

const openCalls = /^\/auth\/v1\/(signup|token|recover|verify|resend|\.well-known)|^\/api\/undo/;

/** Returns every route that requests are made for; those of the contract and of auth by their schemas. */
export function attackedRoutes(known: Known): AttackedRoute[] {
  const described = calls.map((call): AttackedRoute => {
    const requests = inputsFor(call, known.values).map((input) => requestOf(call, input));
    return { method: call.method, path: call.path.split("?")[0]!, isOpen: openCalls.test(call.path), requests };
  });
  return [...described, ...plainRoutes(), ...storageRoutes(known)];
}

/** Pages, files and the operator's calls, which read nothing but the path and the query. */
function plainRoutes(): AttackedRoute[] {
  const queries = fc.constantFrom(
    "",
    "?to=a%40example.com",
    "?to=a&to=b",
    "?to[x]=%00",
    "?utm=50%off",
    `?x=${"a".repeat(4000)}`,
  );
  const open = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/mailbox",
    "/mailbox.css",
    "/mailbox.json",
    "/mailbox/mails/:id",
    "/api/openapi.json",
    "/api/docs",
    "/api/docs.css",
    "/*",
    ...pages.map(({ route }) => route),
  ];
  const route = (path: string, isOpen: boolean, method: HostileRequest["method"] = "GET"): AttackedRoute => ({
    method: "GET",
    path,
    isOpen,
    requests: queries.map((query) => ({ method, url: path.replace("*", "assets/none.js").replace(":id", "some-id") + query })),
  });
  const unsubscribe: AttackedRoute = {
    method: "POST",
    path: "/unsubscribe",
    isOpen: true,
    requests: fc
      .tuple(fc.constantFrom("", "?token=", "?token=a.b.c", "?token=a&token=b", "?token[x]=%00"), headerValue)
      .map(([query, payload]) => ({
        method: "POST",
        url: `/unsubscribe${query}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload,
      })),
  };
  // By HEAD, since a stream that opens has no end.
  const calendar = route("/api/live-sessions.ics", false);
  const exports = exportNames.map((name) => route(`/api/export/${name}.csv`, false));
  return [...open.map((path) => route(path, true)), unsubscribe, calendar, ...exports, route("/api/events", false, "HEAD")];
}

const headerValue = hostileValue.map((value) =>
  (JSON.stringify(value) ?? "").replace(/[^\x20-\x7e\xa0-\xff]/g, "?").slice(0, 2000),
);

const base64 = fc.oneof(
  headerValue.map((text) => Buffer.from(text).toString("base64")),
  headerValue,
);
const bucketName = fc
  .constantFrom("payment-screenshots", "course-videos", "lesson-attachments", "lesson-posters", "secrets")
  .map((name) => btoa(name));
const metadata = fc
  .tuple(bucketName, base64, base64)
  .map(([bucket, filename, filetype]) => `bucketName ${bucket},filename ${filename},filetype ${filetype}`);

const tusHeaders: Arbitrary<Record<string, string>> = fc.record(
  {
    "tus-resumable": fc.constantFrom("1.0.0", "1.0.0", "1.0.0", "0.2.2", ""),
    "upload-length": fc.oneof(fc.constantFrom("67", "1", "0", "-1", "1e3", "9".repeat(30), "0x10"), headerValue),
    "upload-offset": fc.oneof(fc.constantFrom("0", "0", "-1", "67", "9".repeat(30)), headerValue),
    "upload-metadata": fc.oneof({ weight: 3, arbitrary: metadata }, { weight: 1, arbitrary: headerValue }),
    "upload-defer-length": fc.constant("1"),
    "upload-concat": fc.constantFrom("partial", "final;/a /b"),
    "upload-checksum": headerValue,
    "content-type": fc.constantFrom("application/offset+octet-stream", "application/json", ""),
    "x-http-method-override": fc.constantFrom("PATCH", "DELETE", "HEAD", "TRACE", "__proto__"),
  },
  { requiredKeys: ["tus-resumable"], noNullPrototype: true },
);

const tusBody = fc.option(fc.constantFrom(Buffer.from(tinyPng), Buffer.alloc(3), Buffer.alloc(5000, 255)), { nil: undefined });

function formOf(type: string, disposition: string, boundary: string, content: Buffer): HostileRequest {
  const start = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: image/png\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(start), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { method: "POST", url: "/storage/v1/object/payment-screenshots", headers: { "content-type": type }, payload };
}

function storageRoutes({ filmLink, uploadId }: Known): AttackedRoute[] {
  const path = "/storage/v1/upload/resumable";
  const id = fc.oneof(fc.constant(uploadId), fc.constantFrom("x", "..%2f..", "-".repeat(36), "a".repeat(3000), "%00"));
  const tus = (method: HostileRequest["method"], to: Arbitrary<string>): AttackedRoute => ({
    method,
    path: method === "OPTIONS" || method === "POST" ? path : `${path}/:id`,
    isOpen: method === "OPTIONS",
    requests: fc.tuple(to, tusHeaders, tusBody).map(([url, headers, body]) => ({
      method,
      url,
      headers,
      ...(body && ["POST", "PATCH"].includes(method) ? { payload: body } : {}),
    })),
  });
  const one = id.map((text) => `${path}/${text}`);
  const token = filmLink.slice(filmLink.indexOf("token=") + 6);
  const links = fc.oneof(
    { weight: 2, arbitrary: fc.constant(filmLink) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.nat(token.length), headerValue)
        .map(([at, text]) => filmLink.replace(token, token.slice(0, at) + encodeURIComponent(text) + token.slice(at + 1))),
    },
    { weight: 1, arbitrary: headerValue.map((name) => filmLink.replace("/course-videos/", `/${encodeURIComponent(name)}/`)) },
  );
  const ranges = fc.constantFrom(
    "bytes=0-9",
    "bytes=-0",
    "bytes=5-1",
    "bytes=0-0,5-6",
    "lines=1-2",
    "bytes=0-99999999999999999999",
  );
  return [
    tus("POST", fc.constant(path)),
    tus("OPTIONS", fc.constant(path)),
    { ...tus("POST", one), path: `${path}/:id` },
    ...(["HEAD", "PATCH", "DELETE"] as const).map((method) => tus(method, one)),
    {
      method: "POST",
      path: "/storage/v1/object/payment-screenshots",
      isOpen: false,
      requests: fc
        .tuple(
          fc.constantFrom(
            "multipart/form-data; boundary=b",
            "multipart/form-data; boundary=",
            "multipart/form-data",
            "image/png",
          ),
          fc.constantFrom(
            'form-data; name="file"; filename="a.png"',
            'form-data; name="other"',
            'form-data; name="file"',
            ";;;",
            "",
          ),
          fc.constantFrom("b", "c", "b".repeat(200)),
          fc.constantFrom(Buffer.from(tinyPng), Buffer.alloc(0), Buffer.from("<svg/>"), Buffer.alloc(2000, 255)),
        )
        .map((parts) => formOf(...parts)),
    },
    {
      method: "GET",
      path: "/storage/v1/object/sign/:bucket/:name",
      // Whoever has a link may open it.
      isOpen: true,
      requests: fc.tuple(links, ranges).map(([url, range]): HostileRequest => ({ method: "GET", url, headers: { range } })),
    },
  ];
}
