import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from "react";
import * as z from "zod/mini";
import { PublishNews, type News, type NewsReach } from "#domain/api/course/news";
import { audienceNames, newsAudiences, type NewsAudience } from "#domain/news";
import { newsOptions, useNews } from "../../../entities/news/queries.ts";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { counted } from "../../../platform/format.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useUnsaved } from "../editing/leave-guard.tsx";
import { useSave } from "../editing/use-save.ts";
import { FormButtons } from "../form-buttons.tsx";
import { useReach } from "./queries.ts";

interface NewsFormProps {
  /** Undefined publishes a new one. */
  news: News | undefined;
  /** Called with the id of what is published; the form may stay open. */
  onMade: (id: string) => void;
  onClose: () => void;
}

/** Publishes an announcement, asked again before it is mailed, or changes one (NEWS-1, NEWS-4). */
export function NewsForm({ news, onMade, onClose }: NewsFormProps): ReactNode {
  const reach = useReach();
  const calls = { create: api.news.publish, update: api.news.update };
  const { save, isUnsure } = useSave<PublishNews>(news && { ...news, mail: false }, calls, onMade);
  // A new one is not offered to be mailed once it is published, where the form stays open.
  const [isPublished, setPublished] = useState(news !== undefined);
  const [isConfirming, setIsConfirming] = useState(false);
  const { title = "", text = "", audience = "everyone" } = news ?? {};
  const form = useForm({
    initial: { title, text, audience, mail: false },
    schema: PublishNews,
    mutationFn: save,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: newsOptions.queryKey });
      setPublished(true);
    },
    onDone: onClose,
    onError: () => setIsConfirming(false),
  });
  const { values } = form;
  useUnsaved(form.isUnsaved, { tab: "news", text: "The announcement in the form is not saved." });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    if (isPublished || !values.mail || !z.safeParse(PublishNews, values).success) return form.onSubmit(event);
    event.preventDefault();
    setIsConfirming(true);
  };
  return (
    <Panel aria-labelledby="news-form">
      <h2 id="news-form" ref={heading} tabIndex={-1} className="mb-5 text-title outline-none">
        {isPublished ? "Edit news" : "New announcement"}
      </h2>
      <form className="grid gap-5" onSubmit={onSubmit} noValidate>
        <TextField label="Title" autoComplete="off" {...form.field("title")} />
        <TextArea
          label="Text"
          rows={8}
          hint="A blank line begins a paragraph. Addresses that start with https:// become links."
          {...form.field("text")}
        />
        <SelectField
          label="For"
          hint={reach.data && counted(reach.data[values.audience].students, "student")}
          {...form.field("audience")}
          onChange={(event) => form.set({ audience: event.target.value as NewsAudience })}
        >
          {newsAudiences.map((one) => (
            <option key={one} value={one}>
              {audienceNames[one]}
            </option>
          ))}
        </SelectField>
        {news?.mailing && <MailingNote news={news} />}
        {!isPublished && (
          <Checkbox
            label={<MailLabel reach={reach.data?.[values.audience]} isUnsure={isUnsure} />}
            checked={values.mail}
            disabled={form.isPending || isUnsure}
            onChange={(event) => form.set({ mail: event.target.checked })}
          />
        )}
        <FormError form={form} />
        <FormButtons save={isPublished ? "Save news" : "Publish"} isPending={form.isPending} onCancel={onClose} />
      </form>
      <ConfirmDialog
        open={isConfirming}
        title="Publish and mail this?"
        confirmLabel="Publish and mail"
        isBusy={form.isPending}
        onConfirm={form.submit}
        onCancel={() => setIsConfirming(false)}
      >
        <p className="font-medium wrap-anywhere text-ink">{values.title}</p>
        <p>
          It goes to {reach.data ? counted(reach.data[values.audience].mails, "student") : "the students"} by mail at once.
          Mails that were sent cannot be taken back.
        </p>
      </ConfirmDialog>
    </Panel>
  );
}

/** Which mails a change reaches; a mailing may end while the form is open (NEWS-4). */
function MailingNote({ news }: { news: News }): ReactNode {
  const { mailing } = useNews().data?.find(({ id }) => id === news.id) ?? news;
  return (
    <p className="text-small text-muted">
      {mailing?.finished_at == null
        ? "It is being mailed: mails that are not written yet get the change."
        : "It was mailed. A change is displayed on the dashboard and reaches no mail."}
    </p>
  );
}

/** Fewer than the audience: students choose whether they get news by mail. */
function MailLabel({ reach, isUnsure }: { reach: NewsReach[NewsAudience] | undefined; isUnsure: boolean }): ReactNode {
  return (
    <>
      <span className="font-medium">Send it by mail too</span>
      <span className="figures block text-muted">
        {reach
          ? `To ${reach.mails} of ${counted(reach.students, "student")}: those who want news by mail.`
          : "To those who want it."}
      </span>
      {isUnsure && <span className="block text-muted">It may have been published, so this choice stays.</span>}
    </>
  );
}
