import * as z from "zod/mini";
import * as auth from "#domain/api/auth";
import { contract } from "#domain/api/contract";

export type Schema = z.core.$ZodType;
export const places = ["params", "query", "headers", "body"] as const;
export type Place = (typeof places)[number];

/** One call of the HTTP API with a plausible value for each part of its input. */
export interface ApiCall {
  name: string;
  method: string;
  /** With `{name}` where a parameter stands. */
  path: string;
  input: Partial<Record<Place, unknown>>;
  /** The schema of each part of the input. */
  schemas: Partial<Record<Place, Schema>>;
}

/** Every call of the contract, and those of the auth protocol that have a schema. */
export function everyCall(): ApiCall[] {
  const calls = Object.entries(contract).flatMap(([part, procedures]) =>
    Object.entries(procedures).map(([name, procedure]): ApiCall => {
      const { route, inputSchema } = procedure["~orpc"];
      const { method = "", path = "", inputStructure } = route;
      const place = method === "GET" ? "query" : "body";
      const whole = inputSchema as Schema | undefined;
      const schemas = inputStructure === "detailed" ? shapeOf(whole!) : whole === undefined ? {} : { [place]: whole };
      return withSamples({ name: `${part}.${name}`, method, path, schemas });
    }),
  );
  const authCall = (method: string, path: string, body?: Schema, query?: Schema, params?: Schema): ApiCall =>
    withSamples({
      name: `auth ${method} ${path}`,
      method,
      path: `/auth/v1${path}`,
      schemas: { ...(body && { body }), ...(query && { query }), ...(params && { params }) },
    });
  return [
    ...calls,
    authCall("POST", "/signup", auth.SignUpBody),
    authCall("POST", "/token", auth.PasswordGrant, auth.TokenQuery),
    authCall("POST", "/token?grant_type=refresh_token", auth.RefreshGrant),
    authCall("POST", "/recover", auth.RecoverBody),
    authCall("POST", "/verify", auth.VerifyBody),
    authCall("PUT", "/user", auth.UserUpdate),
    authCall("POST", "/verify", auth.EmailChangeBody),
    authCall("POST", "/resend", auth.ResendBody),
    authCall("POST", "/factors", auth.FactorBody),
    authCall("DELETE", "/factors/{id}", undefined, undefined, auth.FactorParams),
    authCall("POST", "/factors/{id}/challenge", undefined, undefined, auth.FactorParams),
    authCall("POST", "/factors/{id}/verify", auth.FactorVerifyBody, undefined, auth.FactorParams),
    authCall("POST", "/logout", undefined, auth.LogoutQuery),
    authCall("GET", "/user"),
    authCall("GET", "/.well-known/jwks.json"),
  ];
}

function withSamples(call: Omit<ApiCall, "input">): ApiCall {
  const input = Object.fromEntries(Object.entries(call.schemas).map(([place, schema]) => [place, sampleOf(schema)]));
  return { ...call, input };
}

/** Returns the parts of an object's schema, or of an optional one's. */
export function shapeOf(schema: Schema): Record<string, Schema> {
  return (schema._zod as unknown as { def: { shape: Record<string, Schema> } }).def.shape;
}

/** Values of which at least one fits each leaf of the contract. */
export const plausible: unknown[] = [
  "0b1f6c1e-6a52-4c3e-9d4b-1f2e3d4c5b6a",
  "SAMPLE",
  "10",
  "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "https://films.example/x",
  "2026-11-24",
  "2026-11-24T19:00:00Z",
  "19:00",
  "Asia/Bangkok",
  "",
  1,
  60,
];

/** A file that a call with a form takes, and what is in it. */
export const sampleFileText = "WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n";
export const sampleFile = new File([sampleFileText], "a.vtt", { type: "text/vtt" });

/** A value that a schema accepts; throws for a kind of schema that is not met in the contract yet. */
function sampleOf(schema: Schema): unknown {
  const { def } = schema._zod as unknown as { def: Record<string, any> };
  switch (def["type"]) {
    case "object":
      return Object.fromEntries(Object.entries(def["shape"]).map(([key, inner]) => [key, sampleOf(inner as Schema)]));
    case "optional":
    case "nullable":
    case "default":
      return sampleOf(def["innerType"]);
    case "record":
      return { search: sampleOf(def["valueType"]) };
    case "array":
      return [sampleOf(def["element"])];
    case "enum":
      return Object.values(def["entries"])[0];
    case "literal":
      return def["values"][0];
    case "boolean":
      return true;
    case "file":
      return sampleFile;
  }
  const fitting = plausible.find((value) => z.safeParse(schema, value).success);
  if (fitting === undefined) throw new Error(`No plausible value for a schema of type ${def["type"]}.`);
  return fitting;
}

/** The places in a call where a value stands, each as its path of keys. */
export function positionsOf(call: ApiCall): [Place, ...string[]][] {
  return places.flatMap((place) => leavesOf(call.input[place]).map((keys): [Place, ...string[]] => [place, ...keys]));
}

function leavesOf(value: unknown): string[][] {
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [[]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner).map((keys) => [key, ...keys]));
}

/** The input of a call with another value at one position. */
export function inputWith(call: ApiCall, position: readonly string[], value: unknown): ApiCall["input"] {
  return replaced(call.input, position, value) as ApiCall["input"];
}

function replaced(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = (target as Record<string, unknown>)[key];
  if (Array.isArray(target)) return target.with(Number(key), replaced(inner, rest, value));
  return { ...(target as object), [key]: replaced(inner, rest, value) };
}
