import type { ReactNode } from "react";
import * as z from "zod/mini";
import type { Me } from "#domain/api/account";
import { code } from "#domain/api/fields";
import { maxFullNameLength } from "#domain/accounts/accounts";
import { texts } from "#domain/texts/texts";
import { fieldOfCode } from "../../entities/session/account-calls.ts";
import { useForm } from "../../platform/form.ts";
import { TextField } from "../../ui/field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { changeName } from "./calls.ts";
import { refreshAccount } from "./queries.ts";
import { SaveButton } from "./save-button.tsx";

const Name = z.object({ full_name: z.string().check(z.trim(), z.minLength(1, code("full_name_missing"))) });

export function NamePanel({ me }: { me: Me }): ReactNode {
  const form = useForm({
    initial: { full_name: me.full_name },
    schema: Name,
    mutationFn: async ({ full_name }) => {
      await changeName(full_name);
      await refreshAccount();
      return true;
    },
    fieldOfCode: { full_name_missing: fieldOfCode.full_name_missing, full_name_invalid: fieldOfCode.full_name_invalid },
  });
  return (
    <Panel aria-labelledby="account-name">
      <PanelTitle id="account-name">Name</PanelTitle>
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
        <TextField
          label={texts.auth.fullName}
          hint="In mails to you, and on receipts of later payments."
          autoComplete="name"
          maxLength={maxFullNameLength}
          {...form.field("full_name")}
        />
        <FormError form={form} />
        <SaveButton label="Save name" isBusy={form.isPending} done={form.result ? "Saved." : undefined} />
      </form>
    </Panel>
  );
}
