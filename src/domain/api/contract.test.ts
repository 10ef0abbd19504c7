import { expect, it } from "vitest";
import * as z from "zod/mini";
import { contract } from "./contract.ts";

const calls = Object.values(contract)
  .flatMap((feature) => Object.values(feature))
  .map((call) => call["~orpc"]);

it("the contract is that of contract.txt, which `vitest --project domain -u` writes", async () => {
  const sheets = calls.map(({ route, inputSchema, outputSchema }) => {
    const takes = sketch(inputSchema, "input");
    const replies = `${route.successStatus ?? 200} ${sketch(outputSchema, "output")}`;
    return `${route.method} ${route.path}\n  takes ${takes}\n  ${replies}\n`;
  });
  await expect(sheets.join("\n")).toMatchFileSnapshot("contract.txt");
});

it.each(calls.map(({ route }) => route))("$method $path has a summary for the OpenAPI document", ({ summary }) => {
  expect(summary).toMatch(/^[A-Z][\w ,'-]+$/);
});

it("takes input in parts exactly when a part is not the body or the query", () => {
  const inParts = calls.filter(({ route }) => route.inputStructure === "detailed").map(({ route }) => route.path);
  const needed = calls.filter(({ inputSchema }) => /^\{\s+(headers|params|query): \{/.test(sketch(inputSchema, "input")));
  expect(inParts).toEqual(needed.map(({ route }) => route.path));
});

type Schema = Parameters<typeof z.toJSONSchema>[0];
type Json = z.core.JSONSchema.BaseSchema;

function sketch(schema: unknown, io: "input" | "output"): string {
  return schema === undefined ? "nothing" : write(z.toJSONSchema(schema as Schema, { io }), "    ");
}

/** A JSON schema as TypeScript would write the type, with limits and defaults behind it. */
function write(json: Json, indent: string): string {
  if (json.anyOf) return json.anyOf.map((one) => write(one, indent)).join(" | ");
  if (json.enum) return json.enum.join(" | ");
  if (json.const !== undefined) return String(json.const);
  if (json.type === "array") return `${write(json.items as Json, indent)}[]`;
  if (json.type === "object") return writeObject(json, indent);
  const limits = [json.minimum ?? json.minLength, json.maximum ?? json.maxLength].map((limit) =>
    limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? "" : String(limit),
  );
  const initial = json.default === undefined ? "" : `= ${JSON.stringify(json.default)}`;
  const words = [[json.type].flat().join(" | "), json.format ?? "", limits.join("..").replace(/^\.\.$/, ""), initial];
  return words.filter((word) => word !== "").join(" ");
}

function writeObject({ properties = {}, required = [], propertyNames, additionalProperties }: Json, indent: string): string {
  if (propertyNames) return `{ [${write(propertyNames as Json, indent)}]: ${write(additionalProperties as Json, indent)} }`;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${indent}${name}${required.includes(name) ? "" : "?"}: ${write(field as Json, `${indent}  `)}\n`,
  );
  return `{\n${fields.join("")}${indent.slice(2)}}`;
}
