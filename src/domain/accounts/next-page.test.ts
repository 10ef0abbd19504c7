import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packageTypes } from "../packages.ts";
import {
  ownPageOf,
  packageAskedFor,
  packageSoldOn,
  paymentFile,
  paymentPage,
  signInFile,
  signInFormOf,
  signInForms,
  signInPage,
} from "./next-page.ts";

const site = "https://course.example.com";
/** Parts of known tricks, so that random texts contain them. */
const tricky = fc
  .array(
    fc.constantFrom(
      ..."/ \\ . : @ ? ! $ ' | [ ] { } ^ ` ( ) * , # % & = + ; ~ \t \n \r \0 ／ 。 evil.example javascript https %2f %5c %00 auth payment".split(
        " ",
      ),
      " ",
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

// JOURNEY-1
describe("the page after signing in", () => {
  it.each([
    "/payment?package=advanced",
    "/student",
    "/account",
    "/student/receipts/4c9e-11",
    "/admin?tab=payments",
    "/watch/1.2",
    "/authors",
    "/student/auth",
    "/payment?package=advanced&utm_campaign=a:b",
    "/admin?search=50*",
    "/student?to=https://evil.example//x!$(),;@/?",
    "/payment?utm_campaign={campaign}|[a]^`b`",
    `/payment?${"a".repeat(991)}`,
    "/account#mails",
    "/student?a#news-2",
  ])("accepts %s as the page after signing in", (page) => expect(ownPageOf(page)).toBe(page));

  it.each(
    [
      ["", "/", "//evil", "/\\evil", "\\\\evil", "https://evil.example", "//evil.example/student", "/\t/evil.example"],
      ["/%2fevil.example", "/%5cevil.example", "/..//evil.example", "/./student", "/student/../auth", "javascript:alert(1)"],
      ["/student#", "/student#a=b", "/student#a#b", "/student#/x", "/auth#x", "/auth#recovery=x", "/student#%61", "#x", "/#x"],
      ["/student ", " /student", "/student\n", "/auth", "/auth?next=/student", "/auth/", "/AUTH", "/student?"],
      ["student", "data:,x", `/${"a".repeat(1000)}`, "/student\\?x", "/a:b", "/a@b?c", "/student?a#", "/student?\\"],
    ].flat(),
  )("refuses %j as the page after signing in", (page) => expect(ownPageOf(page)).toBeUndefined());

  it("returns no page after signing in where none was requested", () => {
    expect([null, undefined, ["/student"], 7].map(ownPageOf)).toEqual([undefined, undefined, undefined, undefined]);
    expect(signInPage(undefined)).toBe("/auth");
  });

  it.each([
    [undefined, "login", "/auth"],
    ["//evil.example", "login", "/auth"],
    ["/student?tab=1", "login", "/auth?next=%2Fstudent%3Ftab%3D1"],
    [undefined, "sign-up", "/auth?mode=sign-up"],
    ["/student", "sign-up", "/auth?mode=sign-up&next=%2Fstudent"],
    ["/account#mails", "login", "/auth?next=%2Faccount%23mails"],
    ["/student", "forgot", "/auth?mode=forgot&next=%2Fstudent"],
  ] as const)("signs in for %s by %s at %s", (next, mode, address) => expect(signInPage(next, mode)).toBe(address));

  it("accepts only pages of this site, as the browser resolves them", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          tricky,
          fc.webUrl(),
          fc.string(),
          tricky.map((end) => `/student${end}`),
          tricky.map((end) => `/student?to=${end}`),
          tricky.map((end) => `/student#x${end}`),
        ),
        (text) => {
          const page = ownPageOf(text);
          if (page === undefined) return;
          const { origin, pathname, search, hash } = new URL(page, site);
          expect(origin).toBe(site);
          expect(pathname + search + hash).toBe(text);
          expect(pathname).not.toMatch(/^\/auth(\/|$)/i);
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("accepts every query that a browser makes of a text without a backslash", () => {
    const query = fc
      .oneof(tricky, fc.string(), fc.string({ unit: "binary", maxLength: 50 }))
      .filter((text) => !text.includes("\\"));
    fc.assert(
      fc.property(query, (text) => {
        const { pathname, search } = new URL(`/payment?${text.replaceAll("#", "")}`, site);
        expect(ownPageOf(pathname + search)).toBe(pathname + search);
      }),
      { numRuns: 2000 },
    );
  });

  it("carries the page unchanged through the address of the sign-in page", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          tricky,
          tricky.map((end) => `/payment${end}`),
        ),
        fc.constantFrom("login" as const, "sign-up" as const, "forgot" as const),
        (text, mode) => {
          const { origin, pathname, searchParams } = new URL(signInPage(text, mode), site);
          expect([origin, pathname]).toEqual([site, "/auth"]);
          expect(searchParams.get("next") ?? undefined).toBe(ownPageOf(text));
          expect(searchParams.get("mode")).toBe(mode === "login" ? null : mode);
        },
      ),
    );
  });

  it("returns the package that a payment page sells", () => {
    expect(packageSoldOn(paymentPage("advanced"))).toBe("advanced");
    expect(packageSoldOn(paymentPage("starter"))).toBe("starter");
    expect(packageSoldOn("/payment?utm_source=ad&package=advanced&gclid=a:b#top")).toBe("advanced");
    for (const page of ["/payment", "/payment?package=gold", "/payment?other_package=advanced", "/payments?package=starter"])
      expect(packageSoldOn(page)).toBeUndefined();
    expect(packageSoldOn("/student?package=advanced")).toBeUndefined();
    expect(packageSoldOn(undefined)).toBeUndefined();
  });

  it("returns the package that the query of the payment page names", () => {
    for (const packageType of packageTypes) {
      const { searchParams } = new URL(paymentPage(packageType), site);
      expect(packageAskedFor({ package: searchParams.get("package") })).toBe(packageType);
    }
    for (const asked of [undefined, null, "", "gold", ["advanced"]])
      expect(packageAskedFor({ package: asked })).toBe("starter");
    expect(packageTypes.map(paymentFile)).toEqual(["payment", "payment-advanced"]);
  });

  it("returns the form that the address of the sign-in page was made for", () => {
    for (const form of signInForms) {
      const { searchParams } = new URL(signInPage(form.chosen && paymentPage(form.chosen), form.mode), site);
      expect(signInFormOf(Object.fromEntries(searchParams))).toEqual(form);
    }
    expect(signInFormOf({ mode: ["sign-up"], next: ["/payment?package=starter"] })).toEqual({
      mode: "login",
      chosen: undefined,
    });
    expect(signInFormOf({})).toEqual({ mode: "login", chosen: undefined });
    expect(signInFormOf({ mode: "forgot", next: paymentPage("starter") })).toEqual({ mode: "forgot", chosen: undefined });
  });

  it("names a file for each form of the sign-in page", () => {
    expect(signInForms.map(signInFile)).toEqual([
      "auth",
      "auth-starter",
      "auth-advanced",
      "auth-sign-up",
      "auth-sign-up-starter",
      "auth-sign-up-advanced",
      "auth-forgot",
    ]);
  });
});
