import type { TestApp } from "../app.ts";

export interface RegisteredRoute {
  method: string;
  /** With `:name` where a parameter stands. */
  path: string;
}

/** Returns every route of the running app as Fastify has it, from its tree of prefixes; those of the contract are behind wildcards. */
export function registeredRoutes(app: TestApp): RegisteredRoute[] {
  const parts: string[] = [];
  return app.server
    .printRoutes()
    .split("\n")
    .flatMap((line) => {
      const [, indent = "", part = "", methods] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      if (part === "") return [];
      parts.splice(indent.length / 4, parts.length, part);
      return (methods?.split(", ") ?? []).map((method) => ({ method, path: parts.join("") }));
    });
}
