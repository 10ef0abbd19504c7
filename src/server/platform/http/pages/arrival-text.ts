import type { FastifyRequest } from "fastify";
import { packageAskedFor, paymentFile, signInFile, signInFormOf, signInForms } from "#domain/accounts/next-page";
import { packageTypes } from "#domain/packages";
import type { NegotiatedText } from "./negotiated-text.ts";
import { pageText, type Site } from "./page-texts.ts";

/** A page with a file for each thing that its query can ask for, so that this is seen before its scripts have run (JOURNEY-6). */
interface Arrival {
  files: readonly string[];
  fileOf: (query: object) => string;
}

/** Such pages by their routes. */
export const arrivals: ReadonlyMap<string, Arrival> = new Map([
  ["/auth", { files: signInForms.map(signInFile), fileOf: (query) => signInFile(signInFormOf(query)) }],
  ["/payment", { files: packageTypes.map(paymentFile), fileOf: (query) => paymentFile(packageAskedFor(query)) }],
]);

/** Returns the page as its address asks for it; `file` is the one that every build has. */
export function arrivalText(
  route: string,
  file: string,
  type: string,
  folder: string,
  site: Site,
): (request: FastifyRequest) => NegotiatedText {
  const plain = pageText(folder, file, type, site);
  const arrival = arrivals.get(route);
  if (arrival === undefined) return plain;
  const textOf = new Map(arrival.files.map((name) => [name, pageText(folder, `${name}.html`, type, site)]));
  return (request) => (textOf.get(arrival.fileOf(request.query as object)) ?? plain)(request);
}
