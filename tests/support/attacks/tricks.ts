import fc, { type Arbitrary } from "fast-check";
import type { HostileRequest } from "./request.ts";

export type Trick = (request: HostileRequest) => HostileRequest;

const withHeaders =
  (headers: Record<string, string>): Trick =>
  (request) => ({ ...request, headers: { ...request.headers, ...headers } });

const withText =
  (change: (text: string) => string | Buffer): Trick =>
  (request) => ({
    ...request,
    headers: { "content-type": "application/json", ...request.headers },
    payload: change(request.payload?.toString() ?? "{}"),
  });

const withUrl =
  (change: (url: string) => string): Trick =>
  (request) => ({ ...request, url: change(request.url) });

const addedTo = (url: string, query: string): string => url + (url.includes("?") ? "&" : "?") + query;

/** What is wrong with the message rather than with the values in it. */
const tricks: Record<string, Trick> = {
  "cut JSON": withText((text) => text.slice(0, -1)),
  "JSON and more": withText((text) => `${text}}`),
  "duplicate keys": withText((text) => text.replace(/^\{("[^"]+"):/, "{$1:null,$1:")),
  "byte order mark": withText((text) => `\ufeff${text}`),
  "invalid UTF-8": withText((text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xed, 0xa0, 0x80, 0x7d])])),
  "deep JSON": withText(() => `{"x":${"[".repeat(5000)}${"]".repeat(5000)}}`),
  "a prototype": withText((text) => text.replace("{", '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}},')),
  "a list of it": withText((text) => `[${text}]`),
  "a huge body": withText((text) => text.padEnd(300_000)),
  "no body": ({ payload: _none, ...request }) => request,
  "a body of text": withHeaders({ "content-type": "text/plain" }),
  "a form": withHeaders({ "content-type": "application/x-www-form-urlencoded" }),
  "a form without boundary": withHeaders({ "content-type": "multipart/form-data" }),
  "JSON in UTF-16": withHeaders({ "content-type": "application/json; charset=utf-16le" }),
  "no type": withHeaders({ "content-type": "" }),
  "a type that is none": withHeaders({ "content-type": 'application/json; a; b="' }),
  compressed: withHeaders({ "content-encoding": "gzip" }),
  "a length too long": withHeaders({ "content-length": "999" }),
  "a length too short": withHeaders({ "content-length": "1" }),
  "a length that is none": withHeaders({ "content-length": "-1" }),
  "odd ranges": withHeaders({ range: "bytes=9-1,-0,99999999999999999999-", "if-range": '"x', "if-none-match": '"' }),
  "a range behind the end": withHeaders({ range: "bytes=99999999-" }),
  "another method by header": withHeaders({ "x-http-method-override": "DELETE" }),
  "headers of tus": withHeaders({
    "tus-resumable": "1.0.0",
    "upload-offset": "-1",
    "upload-length": "1e9",
    "upload-metadata": ",=",
  }),
  "odd cookies": withHeaders({ cookie: "device=; =; a; device=%00.%zz; sb-access-token=x" }),
  forwarding: withHeaders({ "x-forwarded-for": "'1,::,999.9.9.9", "x-forwarded-host": "evil\\", "x-forwarded-proto": "ftp" }),
  "another host": withHeaders({ host: "evil.example:99999" }),
  "asking for a page": withHeaders({ accept: "text/html" }),
  "an odd accept": withHeaders({ accept: "*/*;q=a, ;;, text/html;q=", "accept-encoding": "br;q=-1, *" }),
  "NUL in a header": withHeaders({ "idempotency-key": "a\0b" }),
  "an odd key": withHeaders({ "idempotency-key": "\u00ff".repeat(300), "last-event-id": "-9e99" }),
  "a broken percent": withUrl((url) => addedTo(url, "x=%zz")),
  "NUL in the query": withUrl((url) => addedTo(url, "x=%00")),
  "a query twice": withUrl((url) => addedTo(url, "limit=1&limit=2&cursor=a&cursor=b&token=a&userId=a&userId=b")),
  "nested query": withUrl((url) => addedTo(url, "limit[toString]=1&__proto__[x]=1&search[]=1")),
  "a long query": withUrl((url) => addedTo(url, "x".repeat(8000))),
  "a broken path": withUrl((url) => url.replace(/(\?|$)/, "%ED%A0%80$1")),
  "one segment more": withUrl((url) => url.replace(/(\?|$)/, "/..%2f..%2fetc$1")),
  "two slashes": withUrl((url) => `/${url}`),
  "as HEAD": (request) => ({ ...request, method: request.method === "GET" ? "HEAD" : request.method }),
  "another method": (request) => ({ ...request, method: request.method === "PATCH" ? "PUT" : "PATCH" }),
  OPTIONS: (request) => ({ ...request, method: "OPTIONS" }),
};

/** Returns tricks by name, half of the time none. */
export const trick: Arbitrary<[name: string, trick: Trick]> = fc.oneof(
  fc.constant<[string, Trick]>(["none", (request) => request]),
  fc.constantFrom(...Object.entries(tricks)),
);
