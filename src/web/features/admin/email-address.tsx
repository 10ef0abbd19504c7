import type { ReactNode } from "react";

/** Where it does not fit on a line it is broken before its host first. */
export function EmailAddress({ email }: { email: string }): ReactNode {
  const at = email.lastIndexOf("@");
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
