import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { secondsAfter } from "../../clock.ts";
import { SignedLinks } from "./signed-links.ts";

const key = randomBytes(32);
let now = new Date("2026-03-01T10:00:00Z");
const clock = { now: () => now, steady: () => now };
const links = new SignedLinks(key, clock);
const viewer = { id: randomUUID(), sessionId: randomUUID() };
const refusal = expect.objectContaining({ code: "link_invalid" });

const tokenOf = ({ path }: { path: string }): string => path.slice(path.indexOf("?token=") + 7);
const sealed = (claims: string): string => `${claims}.${createHmac("sha256", key).update(claims).digest("base64url")}`;
const readFilm = (token: string | undefined) => links.read(token, "course-videos", "one.mp4");

// FILE-10.
describe("a link to an object", () => {
  it("names the object in its path and its viewer in its token", () => {
    const link = links.sign("course-videos", "a b/1.mp4", viewer, 60);
    expect(link.path).toMatch(/^\/storage\/v1\/object\/sign\/course-videos\/a%20b%2F1\.mp4\?token=[\w-]+\.[\w-]{43}$/);
    expect(link.expires_at).toEqual(secondsAfter(now, 60));
    expect(links.read(tokenOf(link), "course-videos", "a b/1.mp4").viewer).toEqual(viewer);
  });

  it("is refused from the millisecond on at which it expires", () => {
    const token = tokenOf(links.sign("course-videos", "one.mp4", viewer, 60));
    now = new Date(now.getTime() + 59_999);
    expect(readFilm(token).viewer).toEqual(viewer);
    now = new Date(now.getTime() + 1);
    expect(() => readFilm(token)).toThrow(refusal);
  });

  it("is refused for another object, bucket or key", () => {
    const token = tokenOf(links.sign("course-videos", "one.mp4", viewer, 60));
    expect(() => links.read(token, "course-videos", "two.mp4")).toThrow(refusal);
    expect(() => links.read(token, "payment-screenshots", "one.mp4")).toThrow(refusal);
    expect(() => new SignedLinks(randomBytes(32), clock).read(token, "course-videos", "one.mp4")).toThrow(refusal);
  });

  it("is refused when its token is missing, changed or spelled otherwise", () => {
    const token = tokenOf(links.sign("course-videos", "one.mp4", viewer, 60));
    const [claims = "", proof = ""] = token.split(".");
    const changed = `${proof.startsWith("A") ? "B" : "A"}${proof.slice(1)}`;
    const wrong = [undefined, "", claims, `${claims}.`, `.${proof}`, `${claims}.${changed}`, `${claims}.${proof}A`];
    for (const bad of [...wrong, `${claims}.${proof.slice(0, -4)}`, `${token}=`, `${token}.`, `${token}.${proof}`]) {
      expect(() => readFilm(bad), bad ?? "no token").toThrow(refusal);
    }
  });

  it.each([
    ["no session", { s: undefined }],
    ["no account", { a: undefined }],
    ["a session that is no id", { s: "session" }],
    ["an account that is no id", { a: "account" }],
    ["no expiry", { exp: undefined }],
    ["a field of another version", { v: 2 }],
  ])("is refused with %s, though signed", (_what, changed) => {
    const payload = { b: "course-videos", n: "one.mp4", s: viewer.sessionId, exp: now.getTime() + 1000, a: viewer.id };
    const tokenWith = (fields: object): string => sealed(Buffer.from(JSON.stringify(fields)).toString("base64url"));
    expect(readFilm(tokenWith(payload)).viewer).toEqual(viewer);
    expect(() => readFilm(tokenWith({ ...payload, ...changed }))).toThrow(refusal);
  });
});

// DEVICE-3.
it("admits any browser without a device in the link, else that device alone", () => {
  const free = readFilm(tokenOf(links.sign("course-videos", "one.mp4", viewer, 60)));
  expect([free.admitsDevice(undefined), free.admitsDevice("phone")]).toEqual([true, true]);
  const token = tokenOf(links.sign("course-videos", "one.mp4", viewer, 60, "phone"));
  const bound = readFilm(token);
  expect(["phone", "tablet", undefined].map((device) => bound.admitsDevice(device))).toEqual([true, false, false]);
  expect(Buffer.from(token.split(".")[0]!, "base64url").toString()).not.toContain("phone");
});

describe("a link in a list", () => {
  const half = 12 * 3_600_000;
  const at = (milliseconds: number): string => {
    now = new Date(2000 * half + milliseconds);
    return links.signForList("course-videos", "one.mp4", viewer);
  };

  it("stays the same for twelve hours and then changes", () => {
    expect(at(half - 1)).toBe(at(0));
    expect(at(half)).not.toBe(at(0));
  });

  it("holds for 12 to 24 hours", () => {
    const token = tokenOf({ path: at(0) });
    now = new Date(2002 * half - 1);
    expect(readFilm(token).viewer).toEqual(viewer);
    now = new Date(2002 * half);
    expect(() => readFilm(token)).toThrow(refusal);
  });
});

describe("a token of an address", () => {
  it("opens exactly its address until it expires", () => {
    const { token, expires_at } = links.signAddress("/api/export?a=1", viewer, 60);
    expect(expires_at).toEqual(secondsAfter(now, 60));
    expect(links.readAddress(token, "/api/export?a=1").viewer).toEqual(viewer);
    expect(() => links.readAddress(token, "/api/export?a=2")).toThrow(refusal);
    now = expires_at;
    expect(() => links.readAddress(token, "/api/export?a=1")).toThrow(refusal);
  });

  it("opens no object, nor does an object's link open an address", () => {
    const { token } = links.signAddress("one.mp4", viewer, 60);
    expect(() => readFilm(token)).toThrow(refusal);
    const link = links.sign("course-videos", "one.mp4", viewer, 60);
    expect(() => links.readAddress(tokenOf(link), "one.mp4")).toThrow(refusal);
  });
});
