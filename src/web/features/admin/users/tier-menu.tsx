import { useState, type ReactNode } from "react";
import { isDowngrade, packages, subscriptionStatuses, type SubscriptionStatus } from "#domain/packages";
import { canPlay } from "#domain/video-access";
import { useVideos } from "../../../entities/video/queries.ts";
import { counted } from "../../../platform/format.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useSetTier } from "./queries.ts";

interface TierMenuProps {
  user: { id: string; email: string; subscription_status: SubscriptionStatus };
}

/** What a student has, and the menu that changes it (USER-2). A loss is confirmed first; every change can be undone for a while. */
export function TierMenu({ user }: TierMenuProps): ReactNode {
  const [losing, setLosing] = useState<SubscriptionStatus>();
  const { mutate, isPending, variables } = useSetTier({
    onSuccess: ({ userId, newRole, expected, isUndo }) => {
      if (isUndo) return;
      toast({
        title: `${user.email}: ${tierName(newRole)}`,
        description: `Before: ${tierName(expected)}`,
        action: { label: "Undo", run: () => mutate({ userId, newRole: expected, expected: newRole, isUndo: true }) },
      });
    },
    // Another question may have been opened meanwhile.
    onSettled: ({ newRole }) => setLosing((asked) => (asked === newRole ? undefined : asked)),
  });
  const changingTo = isPending ? variables.newRole : undefined;
  const effectOf = useEffects(user.subscription_status);
  const change = (tier: SubscriptionStatus): void => {
    // Not disabled meanwhile: the button would lose the focus.
    if (tier !== changingTo) mutate({ userId: user.id, newRole: tier, expected: user.subscription_status });
  };
  return (
    <>
      <Menu
        label={`Package of ${user.email}: ${tierName(user.subscription_status)}`}
        items={subscriptionStatuses.map((tier) => ({
          name: tier === user.subscription_status ? tierName(tier) : actionName(tier, user.subscription_status),
          description: tier === user.subscription_status ? "What this student has now" : effectOf(tier),
          isCurrent: tier === user.subscription_status,
          isDangerous: isDowngrade(user.subscription_status, tier),
          onChoose: () => (isDowngrade(user.subscription_status, tier) ? setLosing(tier) : change(tier)),
        }))}
      >
        {tierName(user.subscription_status)}
      </Menu>
      <ConfirmDialog
        open={losing !== undefined}
        title={losing === undefined ? "" : `${actionName(losing, user.subscription_status)}?`}
        confirmLabel={losing === undefined ? "" : actionName(losing, user.subscription_status)}
        isDangerous
        isBusy={losing !== undefined && losing === changingTo}
        onConfirm={() => losing !== undefined && change(losing)}
        onCancel={() => setLosing(undefined)}
      >
        <p className="font-medium wrap-anywhere text-ink">{user.email}</p>
        <p>{losing !== undefined && effectOf(losing)}. A film that is playing stops. The payment requests stay as they are.</p>
      </ConfirmDialog>
    </>
  );
}

function tierName(tier: SubscriptionStatus): string {
  return tier === "unpaid" ? "Unpaid" : packages[tier].name;
}

function actionName(tier: SubscriptionStatus, now: SubscriptionStatus): string {
  if (tier === "unpaid") return "Take away access";
  return `${isDowngrade(now, tier) ? "Change to" : "Give"} ${packages[tier].name}`;
}

/** Returns what a change from a tier to another does to the videos of the course. */
function useEffects(now: SubscriptionStatus): (tier: SubscriptionStatus) => string {
  const videos = useVideos().data ?? [];
  const playable = (subscription_status: SubscriptionStatus): number =>
    videos.filter((video) => canPlay({ role: "student", subscription_status }, video.package_type)).length;
  return (tier) => {
    const change = playable(tier) - playable(now);
    return `${isDowngrade(now, tier) ? "Locks" : "Unlocks"} ${counted(Math.abs(change), "video")}`;
  };
}
