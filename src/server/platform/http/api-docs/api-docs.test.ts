import type { AnyContractProcedure } from "@orpc/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { escapeHtml } from "../../escape-html.ts";
import { contract } from "#domain/api/contract";
import type { OpenApiDocument, Operation } from "./page.ts";
import { exampleOf } from "./example.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { SITE_NAME: "Nok & Co" } });
});
afterAll(() => app?.close());

const textAt = async (path: string): Promise<string> => (await fetch(`${app.url}${path}`)).text();

// RUN-12
it("describes every call with an example, without a script or a style of its own", async () => {
  const page = await textAt("/api/docs");
  const document = JSON.parse(await textAt("/api/openapi.json")) as {
    paths: Record<string, Record<string, { operationId: string; summary: string }>>;
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) => ({ path, method, operationId, summary })),
  );
  expect(operations.length).toBeGreaterThan(100);
  for (const { path, method, operationId, summary } of operations) {
    expect(summary, operationId).not.toBe("");
    const article = page.slice(page.indexOf(`<article id="${operationId}">`)).split("</article>")[0];
    expect(article, operationId).toContain(`<strong>${method.toUpperCase()}</strong> <code>${path}</code>`);
    expect(article, operationId).toContain(`curl -X ${method.toUpperCase()} &#39;${app.url}/`);
    expect(article, operationId).not.toMatch(/curl[^\n]*\{\w+\}/);
  }
  expect(page).toContain(`API of ${escapeHtml("Nok & Co")}`);
  expect(page).not.toMatch(/ style=|<style|<script(?! src="\/theme\.js")| on\w+=/);
  expect(await textAt("/api/docs.css")).toContain("light-dark(");
});

it("has examples that the contract accepts", async () => {
  const document = JSON.parse(await textAt("/api/openapi.json")) as OpenApiDocument;
  const refused: string[] = [];
  for (const { operationId, parameters = [], requestBody } of Object.values(document.paths).flatMap(Object.values<Operation>)) {
    const { inputSchema, route } = callOf(operationId)["~orpc"];
    // A form is sent with a file.
    if (inputSchema === undefined || requestBody?.content?.["multipart/form-data"]) continue;
    const valuesIn = (place: string): Record<string, unknown> =>
      Object.fromEntries(
        parameters.flatMap(({ in: where, name, schema }) => (where === place ? [[name, exampleOf(schema ?? {}, name)]] : [])),
      );
    const schema = requestBody?.content?.["application/json"]?.schema;
    const body = schema && (exampleOf(schema) as object);
    const input =
      route.inputStructure === "detailed"
        ? { params: valuesIn("path"), query: valuesIn("query"), headers: valuesIn("header"), body }
        : { ...valuesIn("path"), ...valuesIn("query"), ...body };
    const { issues } = await inputSchema["~standard"].validate(input);
    if (issues) refused.push(`${operationId}: ${JSON.stringify(issues)}`);
  }
  expect(refused).toEqual([]);
});

const callOf = (operationId: string): AnyContractProcedure => {
  const [part, name] = operationId.split(".") as [keyof typeof contract, string];
  return (contract[part] as Record<string, AnyContractProcedure>)[name]!;
};

it("has an example of every kind of schema", () => {
  expect(exampleOf({ const: "a" })).toBe("a");
  expect(exampleOf({ anyOf: [{ type: "null" }, { enum: ["b", "c"] }] })).toBe("b");
  expect(exampleOf({ type: "array", items: { type: "string", format: "date" } })).toEqual(["2026-11-24"]);
  const properties = {
    email: { type: "string" },
    count: { type: "integer", minimum: 3 },
    price: { type: "string", default: "7" },
  };
  expect(exampleOf({ type: "object", properties })).toEqual({ email: "nok@example.com", count: 3, price: "7" });
});
