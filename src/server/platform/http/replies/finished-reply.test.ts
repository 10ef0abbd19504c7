import { afterAll, describe, expect, it } from "vitest";
import { implement } from "@orpc/server";
import { contract } from "#domain/api/contract";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { student } from "../../../../../tests/support/people.ts";
import { finishedReply, requireReplyOfContract } from "./finished-reply.ts";

const apps: TestApp[] = [];
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** The call that lists videos. */
const procedure = implement(contract).videos.list.handler(() => ({ items: [], next_cursor: null }));

describe("a finished reply", () => {
  it("is its fields as they are written", async () => {
    const reply = finishedReply<{ items: []; next_cursor: null }>({ items: "[]", next_cursor: "null" });
    expect(reply).toMatchObject({ json: '{"items":[],"next_cursor":null}' });
    await expect(requireReplyOfContract(procedure, reply)).resolves.toBeUndefined();
  });

  it.each([
    ["lacks a field", { items: "[]" }],
    ["has a field too many", { items: "[]", next_cursor: "null", secret: "1" }],
    ["has a field too many in a row", { items: "[{}]", next_cursor: "null" }],
    ["has another type", { items: "{}", next_cursor: "null" }],
  ])("is refused in tests and in development when it %s", async (_name, fields) => {
    await expect(requireReplyOfContract(procedure, finishedReply(fields))).rejects.toThrow("contract");
  });

  it("checks replies only with CHECK_REPLIES, and prepares unless told not to", async () => {
    const app = await startApp({ environment: { CHECK_REPLIES: "off", PREPARED_STATEMENTS: "off" } });
    apps.push(app);
    const someone = await student(app);
    for (let call = 0; call < 5; call += 1)
      expect((await someone.call("GET", "/api/videos")).body).toEqual({ items: [], next_cursor: null });
    expect(await app.sql("select statement from pg_prepared_statements")).toEqual([]);
  });
});
