import type { FastifyRequest } from "fastify";
import { signInFile, signInFormOf, signInForms } from "#domain/accounts/next-page";
import type { NegotiatedText } from "./negotiated-text.ts";
import { pageText, type Site } from "./page-texts.ts";

/** Returns the sign-in page with the form in it that the address asks for, so that it is seen before its scripts have run. */
export function signInText(folder: string, type: string, site: Site): (request: FastifyRequest) => NegotiatedText {
  const textOf = new Map(
    signInForms.map((form) => [signInFile(form), pageText(folder, `${signInFile(form)}.html`, type, site)]),
  );
  const plain = pageText(folder, "auth.html", type, site);
  return (request) => (textOf.get(signInFile(signInFormOf(request.query as object))) ?? plain)(request);
}
