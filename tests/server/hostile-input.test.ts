import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inputWith, positionsOf, type ApiCall } from "../support/contract/calls.ts";
import { calls, requestOf, startAttackedSite, type AttackedSite } from "../support/attacks/hostile.ts";

let site: AttackedSite;
beforeAll(async () => {
  site = await startAttackedSite();
});
afterAll(() => site?.close());

const contractCalls = calls.filter(({ path }) => !path.startsWith("/auth/"));

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

describe("hostile input", () => {
  it("refuses NUL and lone surrogates everywhere with 400 and changes no row", async () => {
    const before = await site.rowsNow();
    for (const call of calls) {
      for (const position of positionsOf(call)) {
        for (const text of malformed) {
          const request = requestOf(call, inputWith(call, position, text));
          expect(await site.send(request, site.personFor(call)), `${call.name} ${position.join(".")}`).toBe(400);
        }
      }
    }
    expect(await site.rowsNow()).toEqual(before);
  });

  it("never fails on odd values and changes no row where it refuses them", async () => {
    let before = await site.rowsNow();
    for (const call of contractCalls) {
      const sendAll = async (inputs: ApiCall["input"][]): Promise<ApiCall["input"][]> => {
        const refused: ApiCall["input"][] = [];
        for (const input of inputs)
          if ((await site.send(requestOf(call, input), site.personFor(call))) >= 400) refused.push(input);
        return refused;
      };
      for (const position of positionsOf(call)) {
        const values = [...odd, ...(position[0] === "body" ? oddJson : [])];
        const inputs = values.map((value) => inputWith(call, position, value));
        const refused = await sendAll(inputs);
        // What was accepted may have changed rows, so what was refused is sent again by itself.
        if (refused.length < inputs.length) {
          before = await site.rowsNow();
          expect(await sendAll(refused)).toEqual(refused);
        }
        expect(await site.rowsNow(), `${call.name} ${position.join(".")}`).toEqual(before);
      }
    }
  });

  it("refuses bodies that are no JSON of the expected kind", async () => {
    const before = await site.rowsNow();
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
        const status = await site.send(
          { ...request, url, headers: { ...headers, "content-type": type }, payload },
          site.personFor(call),
        );
        expect(status, `${call.name} ${type} ${payload.toString().slice(0, 60)}`).toBeGreaterThanOrEqual(400);
      }
    }
    expect(await site.rowsNow()).toEqual(before);
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined();
  });

  it("has sent more than a thousand requests", () => expect(site.sent()).toBeGreaterThan(1500));
});
