import fc, { type Arbitrary } from "fast-check";
import * as z from "zod/mini";
import { plausible, sampleFile, shapeOf, type ApiCall, type Schema } from "../contract/calls.ts";

/** Values that break something where input is not parsed: NUL, lone surrogates, huge, empty, odd kinds, nested, other people's SQL. */
const hostileValues: unknown[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00\ud800",
  "\u202e\u2066\ufeff",
  "İıſ",
  "👩‍👩‍👧".repeat(20),
  "e\u0301".repeat(50),
  "'; drop table accounts; --",
  "%\\",
  "a\nb\r\nc: d",
  "../..",
  "__proto__",
  "<script>",
  "${7*7}",
  "1e400",
  "-0",
  "NaN",
  "x".repeat(3000),
  "9".repeat(400),
  "0.".padEnd(300, "0") + "1",
  "2026-02-30T25:61:61Z",
  `${"a".repeat(300)}@example.com`,
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  {},
  [[]],
  { a: { b: "c" } },
  Array(200).fill("x"),
  { toString: "x", valueOf: 1, constructor: { prototype: {} }, length: -1 },
  JSON.parse(`${'{"x":'.repeat(40)}1${"}".repeat(40)}`),
  JSON.parse('{"__proto__":{"isAdmin":true},"role":"admin","user_id":"0","status":"approved"}'),
];

export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ stringUnit: "binary", maxDepth: 2 }) },
);

/** Returns values that a schema accepts; `known` are ids and names that exist on the site. Throws for a kind that is not in the contract yet. */
function validFor(schema: Schema, known: readonly string[]): Arbitrary<unknown> {
  const { def } = schema._zod as unknown as { def: Record<string, any> };
  switch (def["type"]) {
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(shapeOf(schema)).map(([key, inner]) => [key, validFor(inner, known)])),
        {
          requiredKeys: Object.entries(shapeOf(schema)).flatMap(([key, inner]) => (isOptional(inner) ? [] : [key])),
          noNullPrototype: true,
        },
      );
    case "optional":
    case "default":
      return validFor(def["innerType"], known);
    case "nullable":
      return fc.option(validFor(def["innerType"], known));
    case "array":
      return fc.array(validFor(def["element"], known), { maxLength: 3 });
    case "record":
      return fc.dictionary(validFor(def["keyType"], known) as Arbitrary<string>, validFor(def["valueType"], known), {
        maxKeys: 3,
      });
    case "enum":
      return fc.constantFrom(...Object.values(def["entries"]));
    case "literal":
      return fc.constantFrom(...def["values"]);
    case "boolean":
      return fc.boolean();
    case "file":
      return fc.constant(sampleFile);
  }
  const fitting = [...known, ...plausible].filter((value) => z.safeParse(schema, value).success);
  if (fitting.length === 0) throw new Error(`No plausible value for a schema of type ${def["type"]}.`);
  return fc.constantFrom(...fitting);
}

function isOptional(schema: Schema): boolean {
  return ["optional", "default"].includes((schema._zod as unknown as { def: { type: string } }).def.type);
}

/** Changes of a valid input: none, or one or two values become hostile, missing, wrapped in a list, or get an extra field. */
type Spoil = { how: "keep" | "replace" | "drop" | "wrap" | "add"; at: number; value: unknown };

const spoils: Arbitrary<Spoil[]> = fc.array(
  fc.record<Spoil>({
    how: fc.constantFrom("keep", "replace", "replace", "replace", "drop", "wrap", "add"),
    at: fc.nat(50),
    value: hostileValue,
  }),
  { maxLength: 2 },
);

/** Returns valid and nearly valid inputs of a call. */
export function inputsFor(call: ApiCall, known: readonly string[]): Arbitrary<ApiCall["input"]> {
  const valid = fc.record(
    Object.fromEntries(Object.entries(call.schemas).map(([place, schema]) => [place, validFor(schema, known)])),
    { noNullPrototype: true },
  );
  return fc.tuple(valid, spoils).map(([input, all]) => all.reduce<unknown>(spoiled, input) as ApiCall["input"]);
}

/** The parts of the input stay; what is in them changes. */
function spoiled(input: unknown, { how, at, value }: Spoil): unknown {
  const paths = pathsOf(input).filter((path) => path.length > 1 || path[0] === "body");
  const path = paths[at % Math.max(paths.length, 1)];
  if (path === undefined || how === "keep") return input;
  const copy = structuredClone(input);
  const parent = path.slice(0, -1).reduce((inner, key) => (inner as never)[key], copy) as Record<string, unknown>;
  const key = path.at(-1)!;
  if (how === "replace") parent[key] = value;
  if (how === "drop") delete parent[key];
  if (how === "wrap") parent[key] = [parent[key]];
  if (how === "add" && path.length > 1) parent[`${key}_more`] = value;
  return copy;
}

function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path]))];
}
