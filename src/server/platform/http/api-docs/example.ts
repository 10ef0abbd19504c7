import { sampleDestinationFields } from "#domain/payment-methods/sample-destination";

/** A JSON Schema of the OpenAPI document, as far as the contract's schemas become one. */
export interface JsonSchema {
  type?: string;
  format?: string;
  contentMediaType?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minimum?: number;
}

const formats: Record<string, string> = {
  uuid: "0198f6c2-7d5e-7a31-9c44-5b1f0e6d2a90",
  date: "2026-11-24",
  "date-time": "2026-11-24T09:30:00.000Z",
};

/** Values of fields whose schema says less than the name. */
const names: [name: RegExp, value: string][] = [
  [/email$/i, "nok@example.com"],
  [/full_?name/i, "Nok Suwan"],
  [/^(code|totp)$/, "123456"],
  [/password/, "a fine long password"],
  [/(_url|^url)$/, "https://example.com/page"],
  [/(^|_)usd$/, "497"],
  [/^amount/, "0.00731"],
  [/^discount/, "10"],
  ...Object.entries(sampleDestinationFields).map(([name, value]): [RegExp, string] => [new RegExp(`^${name}$`), value]),
  [/^time_zone$/, "Asia/Bangkok"],
  [/^time$/, "19:00"],
  [/^language$/, "en"],
  [/^date$|_on$/, "2026-11-24"],
  [/^ends_at$/, "2026-12-24T09:30:00.000Z"],
  [/_at$/, "2026-11-24T09:30:00.000Z"],
  [/xpub/, ""],
];

/** Returns a value that a schema describes: every field of an object, one item of a list, the first of several kinds. */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined && schema.default !== "") return schema.default;
  if (schema.anyOf) return exampleOf(schema.anyOf.find(({ type }) => type !== "null") ?? {}, name);
  switch (schema.type ?? "any") {
    case "object":
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, exampleOf(field, key)]));
    case "array":
      return schema.items ? [exampleOf(schema.items, name)] : [];
    case "string":
      return formats[schema.format ?? ""] ?? names.find(([pattern]) => pattern.test(name))?.[1] ?? "text";
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}
