import type { ReactNode } from "react";
import type { UserDetail } from "#domain/api/users";
import { day, dateTime } from "../../../../platform/format.ts";
import { Fact, Facts } from "../../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { Progress } from "../../../../ui/progress.tsx";

/** Since when the student is here, and how far in the course. */
export function ProfilePanel({ user }: { user: UserDetail }): ReactNode {
  const { lessons, begun, done, last_watched_at } = user.progress;
  return (
    <Panel aria-labelledby="student">
      <PanelTitle id="student">Student</PanelTitle>
      <Facts>
        <Fact name="Joined">
          <time dateTime={user.created_at}>{day(user.created_at)}</time>
        </Fact>
        <Fact name="Last sign-in">
          {user.last_sign_in_at === null ? (
            "Never"
          ) : (
            <time dateTime={user.last_sign_in_at}>{dateTime(user.last_sign_in_at)}</time>
          )}
        </Fact>
        {user.sign_in_slowed && (
          <Fact name="Tries at the password">
            <span className="text-caution">Slowed down: too many from elsewhere</span>
          </Fact>
        )}
        <Fact name="Two-step sign-in">{user.second_factor ? "On" : "Off"}</Fact>
        <Fact name="Lessons done">
          {done} of {lessons}
        </Fact>
        <Fact name="Begun, not done">{begun - done}</Fact>
        {last_watched_at !== null && (
          <Fact name="Last watched">
            <time dateTime={last_watched_at}>{dateTime(last_watched_at)}</time>
          </Fact>
        )}
      </Facts>
      {lessons > 0 && <Progress label="Lessons done" value={done / lessons} />}
    </Panel>
  );
}
