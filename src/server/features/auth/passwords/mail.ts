import { texts } from "#domain/texts/texts";
import { composeMail, type MailSite } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";

/** Returns the mail with the link to choose a new password; without a trusted origin it has the path alone. */
export function recoveryMail(about: {
  site: MailSite;
  to: string;
  token: string;
  origin: string | undefined;
  /** The page that was wanted before the password was forgotten. */
  next: string | undefined;
}): Mail {
  const { site, to, token, origin, next } = about;
  // In the fragment, which browsers send to no server: a query would be in the logs of every proxy.
  const path = `/auth${next === undefined ? "" : `?next=${encodeURIComponent(next)}`}#recovery=${token}`;
  const common = {
    site,
    to,
    subject: `Reset your ${site.name} password`,
    heading: "Reset your password",
    notes: ["It works once and for one hour.", "If you did not ask for this, ignore this mail: your password stays as it is."],
  };
  if (origin !== undefined) {
    return composeMail({
      ...common,
      paragraphs: ["Somebody, hopefully you, asked for a new password. Choose it here:"],
      button: { label: "Choose a new password", url: origin + path },
    });
  }
  return composeMail({
    ...common,
    paragraphs: [
      "Somebody, hopefully you, asked for a new password. Open the site at the address you know and put this right behind its name:",
      path,
    ],
  });
}

/** Returns the mail that informs the owner of a changed password. */
export function passwordChangedMail(site: MailSite, to: string): Mail {
  return composeMail({
    site,
    to,
    subject: `Your ${site.name} password was changed`,
    heading: "Your password was changed",
    paragraphs: ["The password of your account was just changed, and all other sessions were signed out."],
    notes: [`If this was not you, reset your password at once with "${texts.auth.forgotPassword}" on the sign-in page.`],
  });
}
