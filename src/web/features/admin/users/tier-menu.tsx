import { useState, type ReactNode } from "react";
import { isDowngrade, packages, subscriptionStatuses, type SubscriptionStatus } from "#domain/packages";
import { canPlay } from "#domain/video-access";
import { useVideos } from "../../../entities/video/queries.ts";
import { counted } from "../../../platform/format.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useSetTier } from "./queries.ts";

interface Change {
  from: SubscriptionStatus;
  to: SubscriptionStatus;
}

interface TierMenuProps {
  user: { id: string; email: string; subscription_status: SubscriptionStatus };
}

/** What a student has, and the menu that changes it (USER-2). A loss is confirmed first; every change can be undone for a while. */
export function TierMenu({ user }: TierMenuProps): ReactNode {
  // With the tier that the question is about, which may change elsewhere before the answer.
  const [losing, setLosing] = useState<Change>();
  const { mutate, isPending, variables } = useSetTier({
    onSuccess: ({ userId, newRole, expected, undoes }, number) => {
      if (undoes !== undefined) return;
      toast({
        title: `${user.email}: ${tierName(newRole)}`,
        description: `Before: ${tierName(expected)}`,
        action: { label: "Undo", run: () => mutate({ userId, newRole: expected, expected: newRole, undoes: number }) },
      });
    },
    // Another question may have been opened meanwhile.
    onSettled: ({ newRole }) => setLosing((asked) => (asked?.to === newRole ? undefined : asked)),
  });
  const changingTo = isPending ? variables.newRole : undefined;
  const effectOf = useEffects();
  const loss = losing && effectOf(losing);
  const from = user.subscription_status;
  const apply = (change: Change): void => {
    // Not disabled meanwhile: the button would lose the focus.
    if (change.to !== changingTo) mutate({ userId: user.id, newRole: change.to, expected: change.from });
  };
  return (
    <>
      <Menu
        label={`Package of ${user.email}: ${tierName(from)}`}
        items={subscriptionStatuses.map((to) => ({
          name: to === from ? tierName(to) : actionName({ from, to }),
          description: to === from ? "What this student has now" : effectOf({ from, to }),
          isCurrent: to === from,
          isDangerous: isDowngrade(from, to),
          onChoose: () => (isDowngrade(from, to) ? setLosing({ from, to }) : apply({ from, to })),
        }))}
      >
        {tierName(from)}
      </Menu>
      <ConfirmDialog
        open={losing !== undefined}
        title={losing === undefined ? "" : `${actionName(losing)}?`}
        confirmLabel={losing === undefined ? "" : actionName(losing)}
        isDangerous
        isBusy={losing !== undefined && losing.to === changingTo}
        onConfirm={() => losing !== undefined && apply(losing)}
        onCancel={() => setLosing(undefined)}
      >
        <p className="font-medium wrap-anywhere text-ink">{user.email}</p>
        <p>{loss !== undefined && `${loss}. `}A film that is playing stops. The payment requests stay as they are.</p>
      </ConfirmDialog>
    </>
  );
}

function tierName(tier: SubscriptionStatus): string {
  return tier === "unpaid" ? "Unpaid" : packages[tier].name;
}

function actionName({ from, to }: Change): string {
  if (to === "unpaid") return "Take away access";
  return `${isDowngrade(from, to) ? "Change to" : "Give"} ${packages[to].name}`;
}

/** Returns what a change from a tier to another does to the videos of the course; undefined until they are read. */
function useEffects(): (change: Change) => string | undefined {
  const { data: videos } = useVideos();
  return ({ from, to }) => {
    if (!videos) return undefined;
    const playable = (subscription_status: SubscriptionStatus): number =>
      videos.filter((video) => canPlay({ role: "student", subscription_status }, video.package_type)).length;
    const change = playable(to) - playable(from);
    return `${isDowngrade(from, to) ? "Locks" : "Unlocks"} ${counted(Math.abs(change), "video")}`;
  };
}
