import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { useLogout } from "./session.tsx";

/** Header links of every signed-in page: account and logout. */
export function AccountActions({ logout }: { logout: string }): ReactNode {
  return (
    <>
      <ButtonLink to="/account" variant="quiet" size="small" className="min-w-11">
        <UserRound aria-hidden className="size-4.5" />
        <span className="max-sm:sr-only">Account</span>
      </ButtonLink>
      <LogoutButton label={logout} />
    </>
  );
}

export function LogoutButton({ label }: { label: string }): ReactNode {
  const logout = useLogout();
  return (
    <Button variant="secondary" size="small" onClick={() => void logout()}>
      {label}
    </Button>
  );
}
