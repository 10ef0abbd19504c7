import { useEffect, useId, useRef, type ReactNode } from "react";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { NewLiveSession, type LiveSession } from "#domain/api/course/live-sessions";
import { sessionMinutes } from "#domain/live-sessions/live-session";
import { ownTimeZone, timeZoneName, timeZones } from "../../../entities/live-session/time-zones.ts";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { Checkbox, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useUnsaved } from "../editing/leave-guard.tsx";
import { useSave } from "../editing/use-save.ts";
import { FormButtons } from "../form-buttons.tsx";
import { refreshLiveSessions } from "./queries.ts";

/** The contract's rules over what the fields hold. */
const WeeklyFields = z
  .extend(NewLiveSession, {
    duration_minutes: z.pipe(
      z.transform((text: string) => (text.trim() === "" ? Number.NaN : Number(text))),
      NewLiveSession.shape.duration_minutes,
    ),
    ends_on: z.pipe(
      z.transform((text: string): string | null | undefined => text || null),
      NewLiveSession.shape.ends_on,
    ),
  })
  .check(
    z.refine(({ ends_on, date }) => ends_on == null || ends_on >= date, {
      error: code("live_session_ends_early"),
      path: ["ends_on"],
    }),
  );
/** The last day of a session that is not weekly is left out, as the server does: a hidden field displays no error. */
const SessionFields = z.pipe(
  z.transform((values: z.input<typeof WeeklyFields>) => (values.weekly ? values : { ...values, ends_on: "" })),
  WeeklyFields,
);

interface SessionFormProps {
  /** Undefined plans a new one. */
  session: LiveSession | undefined;
  /** Called with the id of what is planned; the form may stay open. */
  onMade: (id: string) => void;
  onClose: () => void;
}

export function SessionForm({ session, onMade, onClose }: SessionFormProps): ReactNode {
  const { save } = useSave<NewLiveSession>(session, api.liveSessions, onMade);
  const form = useForm({
    initial: {
      title: session?.title ?? "",
      description: session?.description ?? "",
      join_url: session?.join_url ?? "",
      date: session?.date ?? "",
      time: session?.time ?? "",
      time_zone: session?.time_zone ?? ownTimeZone(),
      duration_minutes: String(session?.duration_minutes ?? 60),
      weekly: session?.weekly ?? true,
      ends_on: session?.ends_on ?? "",
    },
    schema: SessionFields,
    mutationFn: save,
    fieldOfCode: { live_session_in_past: "date", live_session_ends_early: "ends_on" },
    onSuccess: refreshLiveSessions,
    onDone: onClose,
  });
  const { field, values, isPending } = form;
  useUnsaved(form.isUnsaved, { tab: "live", text: "The live session in the form is not saved." });
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useEffect(() => heading.current?.focus(), []);
  return (
    <Panel aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className="mb-5 text-title outline-none">
        {session ? "Edit live session" : "Plan a live session"}
      </h2>
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
        <TextField label="Title" required {...field("title")} />
        <TextArea label="Description" required {...field("description")} />
        <TextField
          label="Link to join"
          hint="Advanced students get it from 15 minutes before the start until the end."
          type="url"
          inputMode="url"
          placeholder="https://"
          required
          {...field("join_url")}
        />
        <Checkbox
          label="Repeats every week"
          checked={values.weekly}
          onChange={(event) => form.set({ weekly: event.target.checked })}
        />
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          <TextField label={values.weekly ? "First day" : "Day"} type="date" required className="figures" {...field("date")} />
          <TextField label="Time" type="time" required className="figures" {...field("time")} />
          <TextField
            label="Minutes"
            type="number"
            min={sessionMinutes.shortest}
            max={sessionMinutes.longest}
            step={5}
            required
            className="figures"
            {...field("duration_minutes")}
          />
          {values.weekly && <TextField label="Last day (optional)" type="date" className="figures" {...field("ends_on")} />}
        </div>
        <SelectField
          label="Time zone"
          hint="The session keeps this local time when clocks change. Students see it in their own."
          {...field("time_zone")}
        >
          {timeZones(values.time_zone).map((zone) => (
            <option key={zone} value={zone}>
              {timeZoneName(zone)}
            </option>
          ))}
        </SelectField>
        {session && (
          <p className="text-small text-muted">
            Dates that have begun or that you moved individually keep their times. Cancelled ones stay cancelled where their day
            does not change. Title, description and link change for all dates.
          </p>
        )}
        <FormError form={form} />
        <FormButtons save={session ? "Save changes" : "Plan session"} isPending={isPending} onCancel={onClose} />
      </form>
    </Panel>
  );
}
