import { escapeHtml } from "../../escape-html.ts";
import { themeStyles } from "../../mail/colors.ts";
import { exampleOf, type JsonSchema } from "./example.ts";
import { plainPage } from "../pages/plain-page.ts";

interface Content {
  content?: Record<string, { schema?: JsonSchema }>;
}

export interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonSchema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** What the page reads of the OpenAPI document. */
export interface OpenApiDocument {
  info: { title: string };
  paths: Record<string, Record<string, Operation>>;
}

interface Call extends Operation {
  method: string;
  path: string;
}

/** Returns the page that describes every call with an example (RUN-12). It needs no script, and its style comes from the same origin. */
export function apiDocsPage({ info, paths }: OpenApiDocument, origin: string): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const names = [...new Set(calls.map(groupOf))];
  const groups = names.map((name): [string, Call[]] => [name, calls.filter((call) => groupOf(call) === name)]);
  return plainPage(
    `API – ${info.title}`,
    "/api/docs.css",
    `<h1>API of ${escapeHtml(info.title)}</h1>
${introduction(origin)}
<nav aria-label="Groups"><ul>${groups.map(([group]) => `<li><a href="#${group}">${nameOf(group)}</a></li>`).join("")}</ul></nav>
${groups.map(([group, own]) => `<section aria-labelledby="${group}"><h2 id="${group}">${nameOf(group)}</h2>\n${own.map((call) => callHtml(call, origin)).join("\n")}</section>`).join("\n")}`,
  );
}

function introduction(origin: string): string {
  const signIn = `curl '${origin}/auth/v1/token?grant_type=password' --json '{"email":"nok@example.com","password":"a fine long password"}'`;
  return `<p>The same as an OpenAPI document: <a href="/api/openapi.json">/api/openapi.json</a>. Which account may do what is decided by the server for each call.</p>
<p>A session is the <code>access_token</code> of a sign-in. It is sent as <code>Authorization: Bearer</code> and lasts ten minutes.</p>
<pre tabindex="0">${escapeHtml(signIn)}</pre>
<p>Money is decimal text, times are ISO 8601 in UTC. An error is <code>{"error": "a sentence", "code": "stable_code"}</code> with the status that fits; 429 and 503 say in <code>Retry-After</code> when to try again.
Lists are read on with the <code>next_cursor</code> of the page before as <code>cursor</code>.</p>`;
}

const groupOf = ({ operationId }: Call): string => operationId.split(".")[0]!;

/** `paymentRequests` becomes `Payment requests`. */
function nameOf(group: string): string {
  const words = group.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function callHtml(call: Call, origin: string): string {
  const replies = Object.entries(call.responses).filter(([status]) => status.startsWith("2"));
  return `<article id="${call.operationId}">
<h3>${escapeHtml(call.summary)}</h3>
<p class="path"><strong>${call.method}</strong> <code>${escapeHtml(call.path)}</code></p>
<pre tabindex="0">${escapeHtml(requestExample(call, origin))}</pre>
${replies.map(([status, reply]) => replyHtml(status, schemaOf(reply))).join("\n")}
</article>`;
}

function replyHtml(status: string, schema: JsonSchema | undefined): string {
  if (schema === undefined) return `<p>Replies ${status}.</p>`;
  const text = JSON.stringify(exampleOf(schema), undefined, 2);
  return `<details><summary>Replies ${status}</summary><pre tabindex="0">${escapeHtml(text)}</pre></details>`;
}

function schemaOf({ content = {} }: Content): JsonSchema | undefined {
  return (content["application/json"] ?? Object.values(content)[0])?.schema;
}

/** A call for a shell: parameters of the path filled in, the body with every field. */
function requestExample({ method, path, parameters = [], requestBody }: Call, origin: string): string {
  const examples = (place: string): [string, string][] =>
    parameters
      // Only a reply has a cursor.
      .filter(({ in: where, name }) => where === place && name !== "cursor")
      .map(({ name, schema = {} }) => [name, String(exampleOf(schema, name))]);
  const filled = examples("path").reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = examples("query").map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const lines = [
    `curl -X ${method} '${origin}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}'`,
    "-H 'Authorization: Bearer ACCESS_TOKEN'",
  ];
  for (const [name, value] of examples("header")) lines.push(`-H '${name}: ${value}'`);
  return [...lines, ...bodyExample(requestBody)].join(" \\\n  ");
}

function bodyExample(body: Content | undefined): string[] {
  const form = body?.content?.["multipart/form-data"]?.schema?.properties;
  if (form)
    return Object.entries(form).map(([name, schema]) =>
      schema.contentMediaType === undefined ? `-F '${name}=${String(exampleOf(schema, name))}'` : `-F '${name}=@FILE'`,
    );
  const schema = body && schemaOf(body);
  return schema ? [`--json '${JSON.stringify(exampleOf(schema))}'`] : [];
}

export const apiDocsStyles = `${themeStyles}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 Inter, ui-sans-serif, system-ui, sans-serif; }
:focus-visible { outline: 2px solid var(--action); outline-offset: 2px; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
a { color: var(--action); }
h1 { font-size: 1.75rem; line-height: 1.15; }
h2 { margin: 3rem 0 1rem; font-size: 1.375rem; }
h3 { margin: 0; font-size: 1.125rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
nav a { display: inline-block; padding: 0.25rem 0; }
article { margin: 0 0 1rem; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.path { margin: 0.25rem 0 1rem; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.75rem 1rem; overflow-x: auto; border-radius: 4px; background: var(--raised); font: 0.875rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
code { font: 0.9375em ui-monospace, Menlo, Consolas, monospace; }
summary { margin: 0.75rem 0 0.25rem; cursor: pointer; color: var(--action); }
`;
