import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { filmFileOf, rewrite } from "../../../../tests/support/films/mp4.ts";
import { filmSample } from "../../../../tests/support/films/samples.ts";
import { hashIfEqual } from "./compare.ts";
import { readLayout } from "./mp4/layout.ts";
import { planRewrite, type RewritePlan } from "./mp4/rewrite-plan.ts";

const film = await filmSample("h264-aac-late.mp4");
const plan = planRewrite(await readLayout(filmFileOf(film)), 0)!;
const copyOf = (of: RewritePlan): Buffer => Buffer.concat([rewrite(film, of), of.secondLayout]);
const compared = (copy: Buffer, to = plan): Promise<Buffer | undefined> => hashIfEqual(filmFileOf(film), filmFileOf(copy), to);

it("is the hash of a copy that is as planned", async () => {
  const copy = copyOf(plan);
  expect(await compared(copy)).toEqual(createHash("sha256").update(copy).digest());
});

it("finds any byte that differs, and one more", async () => {
  const copy = copyOf(plan);
  for (let at = 0; at < copy.length; at += 97) {
    const other = Buffer.from(copy);
    other[at]! ^= 1;
    expect(await compared(other), `byte ${at}`).toBeUndefined();
  }
  expect(await compared(Buffer.concat([copy, Buffer.alloc(1)]))).toBeUndefined();
});

it.each<[string, string, number]>([
  ["another place of a chunk", "stco", 16],
  ["another number of samples in a chunk", "stsc", 16],
  ["another size of a sample", "stsz", 16],
  ["another duration", "stts", 16],
])("finds that the planned index itself has %s", async (_what, type, at) => {
  const index = Buffer.from(plan.index);
  index[index.indexOf(type) + at + 3]! ^= 1;
  const wrong = { ...plan, index };
  expect(await compared(copyOf(wrong), wrong)).toBeUndefined();
});
