import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";
import { signInPage } from "#domain/accounts/next-page";
import { ProductError } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { isBeyondUser, isTransient, messageOf, productErrorOf, refusal } from "../../platform/errors.ts";
import { useForm } from "../../platform/form.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { changePassword, newPassword, redeemRecoveryToken } from "../../entities/session/account-calls.ts";
import { Frame } from "./frame.tsx";

/** Replaces the token once it was used, so that a reload does not use it again. */
export const taken = "taken";

interface Recovery {
  /** The link's, or `taken` once it was used. */
  token: string;
  /** Whose session it began: another that begins in this browser came from no link. */
  account?: string | undefined;
}

/**
 * Returns the recovery link that led here, or null without one. Its token moves from the fragment to the state of the history entry, so
 * that the address bar does not show it.
 */
export function useRecovery(): Recovery | null {
  const navigate = useNavigate();
  const location = useLocation();
  const linked = new URLSearchParams(location.hash.slice(1)).get("recovery");
  useEffect(() => {
    if (linked !== null) void navigate({ search: location.search }, { replace: true, state: { recovery: { token: linked } } });
  }, [linked, location.search, navigate]);
  if (linked !== null) return { token: linked };
  return (location.state as { recovery?: Recovery } | null)?.recovery ?? null;
}

/** A link is good for one use, but the session that it starts empties the query cache, and the query runs again. */
const redemptions = new Map<string, Promise<string>>();

function redeemOnce(token: string): Promise<string> {
  const redemption = redemptions.get(token) ?? redeemRecoveryToken(token);
  redemptions.set(token, redemption);
  redemption.catch(() => redemptions.delete(token));
  return redemption;
}

const recoveryOptions = (token: string) =>
  queryOptions({
    queryKey: ["recovery", token],
    queryFn: () => redeemOnce(token),
    enabled: token !== taken,
    retry: false,
  });

interface NewPasswordProps extends Recovery {
  /** The page that was wanted before the password was forgotten. */
  next: string | undefined;
  /** The account that is signed in. */
  signedIn: string | undefined;
}

/** Where the recovery mail leads: the link signs in, then the password is chosen. */
export function NewPassword({ token, account, next, signedIn }: NewPasswordProps): ReactNode {
  const navigate = useNavigate();
  const { data: begun, error, refetch } = useQuery(recoveryOptions(token));
  useTitle("Choose a new password");
  useEffect(() => {
    if (begun === undefined) return;
    void navigate(signInPage(next), { replace: true, state: { recovery: { token: taken, account: begun } } });
  }, [begun, navigate, next]);

  if (error) {
    const retry = isTransient(error) ? () => void refetch() : undefined;
    return <DeadLink error={error} backTo={signInPage(next)} onRetry={retry} />;
  }
  if (token !== taken) return <PageLoading text={texts.session.loading} />;
  if (account === undefined || signedIn !== account)
    return <DeadLink error={new ProductError("recovery_link_invalid")} backTo={signInPage(next)} />;
  return <NewPasswordForm onDone={() => void navigate(signInPage(next), { replace: true })} />;
}

interface DeadLinkProps {
  error: Error;
  backTo: string;
  /** Where the link may still be good. */
  onRetry?: (() => void) | undefined;
}

function DeadLink({ error, backTo, onRetry }: DeadLinkProps): ReactNode {
  return (
    <Frame title="Choose a new password" lead={onRetry ? "The link could not be opened yet." : "This link cannot be used."}>
      <Banner tone="loss" offersHelp={isBeyondUser(error)}>
        {messageOf(error, "unexpected")}
      </Banner>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      <ButtonLink to={backTo} replace>
        Back to sign in
      </ButtonLink>
    </Frame>
  );
}

/** A session whose hour is over is as any other (ACCOUNT-6): whoever forgot the password needs another link. */
async function resetPassword(password: string): Promise<void> {
  try {
    await changePassword(password);
  } catch (thrown) {
    const { code } = productErrorOf(thrown);
    const isOver = code === "step_up_needed" || code === "password_confirmation_wrong";
    throw isOver ? refusal("recovery_link_invalid") : thrown;
  }
}

function NewPasswordForm({ onDone }: { onDone: () => void }): ReactNode {
  const form = useForm({
    initial: { password: "" },
    schema: z.object({ password: newPassword }),
    mutationFn: ({ password }) => resetPassword(password),
    onSuccess: onDone,
    fieldOfCode: { password_weak: "password", password_same: "password" },
  });
  return (
    <Frame title="Choose a new password" lead="It replaces the old one everywhere you are signed in.">
      <form className="grid gap-5" onSubmit={form.onSubmit}>
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters."
          required
          {...form.field("password")}
        />
        <FormError form={form} />
        <Button type="submit" size="large" isBusy={form.isPending}>
          {form.isPending ? texts.auth.busy : "Save the new password"}
        </Button>
      </form>
    </Frame>
  );
}
