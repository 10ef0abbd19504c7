import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paymentPage, signInFile, signInForms, signInPage } from "#domain/accounts/next-page";
import { siteLinksOf } from "#domain/site-links";
import { writeBuiltWeb } from "../../../../../tests/support/contract/built-web.ts";
import { acceptedEncoding } from "./negotiated-text.ts";
import { decodableUrl, refuseMalformedText } from "../text-input.ts";
import { registerWebApp } from "./web-app.ts";

let projectDir: string;
let folder: string;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "pipwright-web-"));
  // Where the site is installed has no bearing on how long its files are kept.
  folder = writeBuiltWeb(join(projectDir, "assets"));
  app = fastify({ rewriteUrl: decodableUrl });
  refuseMalformedText(app);
  app.get("/api/search", () => "found");
  const links = siteLinksOf({ contactUrl: 'https://chat.example/"><script>', termsUrl: "https://terms.example/?a&b" });
  registerWebApp(app, folder, { siteName: 'Bulls & "Bears" </script>', links, publicUrl: undefined });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  rmSync(projectDir, { recursive: true });
});

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Without a client that decodes or adds headers of its own. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(url + path, { headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => parts.push(part));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) }));
    });
    call.on("error", reject).end();
  });
}

describe("over the wire", () => {
  it.each(["/", "/auth", "/student/receipts/some-id", "/robots.txt", "/assets/chunk.js"])(
    "%s comes in the encoding that the browser accepts",
    async (path) => {
      const plain = await get(path);
      const brotli = await get(path, { "accept-encoding": "gzip, deflate, br" });
      const gzip = await get(path, { "accept-encoding": "gzip" });
      expect([plain, brotli, gzip].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "br", "gzip"]);
      expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      for (const { headers } of [plain, brotli, gzip]) expect(headers["vary"]).toBe("accept-encoding");
      expect(new Set([plain, brotli, gzip].map(({ headers }) => headers["content-type"])).size).toBe(1);
    },
  );

  it("keeps hashed assets for a year, other files for an hour, and no pages", async () => {
    const asset = await get("/assets/chunk.js", { "accept-encoding": "br" });
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    writeFileSync(join(folder, "icon.svg"), "<svg/>");
    expect((await get("/icon.svg")).headers["cache-control"]).toBe("public, max-age=3600");
    const page = await get("/");
    expect(page.headers["cache-control"]).toBe("no-cache");
    const again = await get("/", { "if-none-match": String(page.headers["etag"]), "accept-encoding": "br" });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it("sends a file again that another release changed, of the same size and time", async () => {
    // As npm pack writes the time of every file.
    const release = (text: string): void => {
      writeFileSync(join(folder, "theme.js"), text);
      utimesSync(join(folder, "theme.js"), 499162500, 499162500);
    };
    release("old");
    const { etag = '"none"', "last-modified": modified = "Sat, 26 Oct 1985 08:15:00 GMT" } = (await get("/theme.js")).headers;
    release("new");
    for (const [name, value] of [
      ["if-none-match", etag],
      ["if-modified-since", modified],
    ] as const) {
      const again = await get("/theme.js", { [name]: String(value) });
      expect([again.status, again.body.toString()]).toEqual([200, "new"]);
    }
  });

  const browser = "text/html,application/xhtml+xml,*/*;q=0.8";
  const linkPreview = "*/*";

  describe.each([browser, linkPreview])("to a client that accepts %s", (accept) => {
    it.each(["/", "/auth", "/assets/chunk.js", "/no/such/page"])(
      "answers %s with a broken query as without it",
      async (path) => {
        const [plain, broken] = [await get(path, { accept }), await get(`${path}?utm=50%off&x=%00`, { accept })];
        expect([broken.status, broken.body]).toEqual([plain.status, plain.body]);
        expect(broken.headers["content-type"]).toEqual(plain.headers["content-type"]);
      },
    );

    it.each(["/50%off", "/%zz", "/%", "/no/such/page%ED%A0%80", "/auth/%C0%80?utm=50%off", "/assets/%.js"])(
      "answers the broken path %s as a page that does not exist",
      async (path) => {
        const [unknown, broken] = [await get("/no/such/page", { accept }), await get(path, { accept })];
        expect([broken.status, broken.body]).toEqual([404, unknown.body]);
        expect(broken.headers["content-type"]).toEqual(unknown.headers["content-type"]);
      },
    );

    it.each(["/api/search", "/api/none", "/auth/v1/none", "/functions/v1/none", "/storage/v1/none"])(
      "refuses the call %s with a broken path or query",
      async (path) => {
        for (const broken of ["%zz", "/%ED%A0%80", "?utm=50%off", "?x=%00"]) {
          expect((await get(path + broken, { accept })).status, path + broken).toBe(400);
        }
      },
    );

    it("refuses NUL in a path", async () => expect((await get("/no/such/page%00", { accept })).status).toBe(400));
  });

  it("serves neither compressed files nor page files under their own names", async () => {
    for (const path of ["/assets/chunk.js.br", "/assets/chunk.js.gz", "/index.html", "/shell.html"]) {
      expect((await get(path)).status).toBe(404);
    }
  });

  it("lists no folder and serves no file outside the build", async () => {
    for (const path of [
      "/assets",
      "/assets/",
      "/.git/HEAD",
      "/.env",
      "/package.json",
      "/..%2f..%2fpackage.json",
      "/../../.env",
    ]) {
      const { status, body } = await get(path);
      expect([403, 404], path).toContain(status);
      expect(body.toString(), path).not.toContain("chunk.js");
    }
  });

  it("returns 404 for a missing page, compressed too", async () => {
    const lost = await get("/nowhere", { accept: "text/html", "accept-encoding": "br", "if-none-match": "*" });
    expect([lost.status, lost.headers["content-encoding"], lost.headers["cache-control"]]).toEqual([404, "br", "no-store"]);
  });
});

// JOURNEY-6
describe("the sign-in page", () => {
  it.each(signInForms.map((form) => [signInPage(form.chosen && paymentPage(form.chosen), form.mode), signInFile(form)]))(
    "%s arrives as %s",
    async (path, file) => {
      const reply = await get(path);
      expect([reply.status, reply.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(reply.body.toString()).toContain(`<main>${file}<`);
    },
  );

  it.each([
    "?mode=login",
    "?mode[]=sign-up",
    "?mode=sign-up&mode=sign-up",
    "?next=//evil.example",
    "?mode=%00&next=%zz",
    "?mode=../index",
  ])("%s arrives with the form for signing in", async (query) => {
    const reply = await get(`/auth${query}`);
    expect([reply.status, reply.body.includes("<main>auth<")]).toEqual([200, true]);
  });
});

// JOURNEY-6
describe("the payment page", () => {
  it.each([
    ["/payment", "payment"],
    [paymentPage("starter"), "payment"],
    [paymentPage("advanced"), "payment-advanced"],
    ["/payment?package=gold", "payment"],
    ["/payment?package[]=advanced", "payment"],
    ["/payment?package=advanced&package=advanced", "payment"],
    ["/payment?package=../auth", "payment"],
  ])("%s arrives as %s", async (path, file) => {
    const reply = await get(path);
    expect([reply.status, reply.body.includes(`<main>${file}<`)]).toEqual([200, true]);
  });
});

describe("what is filled in", () => {
  it("is the origin of the request, and nothing that a Host header smuggles in", async () => {
    expect((await get("/", { host: "course.example" })).body.toString()).toContain('href="http://course.example/"');
    const smuggled = (await get("/", { host: 'a"><script>alert(1)</script>' })).body.toString();
    expect(smuggled).toContain('href="/"');
    expect(smuggled).not.toContain("alert");
  });

  // CONTACT-1
  it("is the line of contacts, which is left out where there are none", async () => {
    const line = /<main>.*<\/main>/;
    expect(line.exec((await get("/auth")).body.toString())?.[0]).toBe(
      '<main>auth<p>Write to <a href="">chat.example/&#34;&#62;&#60;script&#62;</a>.</p></main>',
    );
    const lonely = fastify();
    registerWebApp(lonely, folder, { siteName: "Alone", links: siteLinksOf({}), publicUrl: undefined });
    expect(line.exec((await lonely.inject("/auth")).body)?.[0]).toBe("<main>auth</main>");
    await lonely.close();
  });

  it("is the same for many hosts, one after the other", async () => {
    for (let count = 0; count < 20; count++) {
      const { body } = await get("/robots.txt", { host: `host${count}.example` });
      expect(body.toString()).toBe(`Sitemap: http://host${count}.example/sitemap.xml`);
    }
  });

  it("is the operator's name, escaped for HTML and for JSON", async () => {
    const page = (await get("/")).body.toString();
    expect(page).toContain("<title>Bulls &#38; &#34;Bears&#34; &#60;/script&#62;</title>");
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)?.[1] ?? "";
    expect(JSON.parse(data)).toEqual({ name: 'Bulls & "Bears" </script>' });
    const manifest = await get("/site.webmanifest");
    expect(JSON.parse(manifest.body.toString())).toEqual({ name: 'Bulls & "Bears" </script>' });
  });
});

it.each([
  ["br;q=0, gzip", "gzip"],
  ["gzip;q=0.5, br;q=0.1", "gzip"],
  ["gzip, deflate, br", "br"],
  ["*", "br"],
  ["*;q=0", "identity"],
  ["identity", "identity"],
  ["", "identity"],
])("reads Accept-Encoding: %s", (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding));
