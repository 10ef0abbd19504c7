import { createHmac } from "node:crypto";
import { optionalMailKinds, optionalMails, type OptionalMailKind } from "#domain/mail-choices";
import { isSameSecret } from "../../platform/http/secret-comparison.ts";
import type { ChoiceLinks } from "../../platform/mail/layout.ts";
import type { Secrets } from "../../platform/secrets.ts";

/**
 * Returns the choice that an optional mail to one account follows, and what it says below its text: which kind it is, where mails are chosen, and the link that ends this kind
 * (MAIL-9). `origin` is the site's.
 */
export function choiceLinks(secrets: Secrets, origin: string, accountId: string, kind: OptionalMailKind): ChoiceLinks {
  const token = [kind, accountId, signature(secrets, kind, accountId)].join(".");
  return {
    accountId,
    kind,
    name: optionalMails[kind].name,
    chooseUrl: `${origin}/account#mails`,
    unsubscribeUrl: `${origin}/unsubscribe?token=${token}`,
  };
}

/** Returns the account and the kind of mail that a token was made for; undefined unless it is one of ours. */
export function openToken(secrets: Secrets, token: string): { accountId: string; kind: OptionalMailKind } | undefined {
  const [name, accountId = "", proof, ...rest] = token.split(".");
  const kind = optionalMailKinds.find((one) => one === name);
  if (kind === undefined || rest.length > 0) return undefined;
  return isSameSecret(proof, signature(secrets, kind, accountId)) ? { accountId, kind } : undefined;
}

function signature({ unsubscribeKey }: Secrets, kind: OptionalMailKind, accountId: string): string {
  return createHmac("sha256", unsubscribeKey).update(`${kind}.${accountId}`).digest("base64url");
}
