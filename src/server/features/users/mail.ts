import { greeting } from "#domain/accounts/accounts";
import { packages, type PackageType } from "#domain/packages";
import { composeMail, linkTo, type MailSite } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/outbox.ts";

/** Returns the mail to a student who was given a package for free; without an `origin` it has no link. */
export function grantedMail(
  site: MailSite,
  origin: string | undefined,
  to: { id: string; email: string; full_name: string },
  packageType: PackageType,
): Mail {
  const { name } = packages[packageType];
  const mail = composeMail({
    site,
    to: to.email,
    subject: `Your ${name} package is unlocked`,
    heading: "A package for you",
    paragraphs: [
      greeting(to.full_name),
      `The ${name} package was given to you for free. Its videos are open on your dashboard; there is nothing to pay.`,
    ],
    ...linkTo(origin, "/student", "Open your course"),
  });
  return { ...mail, accountId: to.id };
}
