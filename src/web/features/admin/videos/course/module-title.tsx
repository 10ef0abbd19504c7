import { useRef, useState, type ReactNode } from "react";
import { moduleName } from "#domain/api/course/videos";
import { videosOptions } from "../../../../entities/video/queries.ts";
import { api } from "../../../../platform/api.ts";
import { productErrorOf } from "../../../../platform/errors.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { InlineText } from "../../../../ui/inline-text.tsx";

interface ModuleTitleProps {
  name: string;
  /** Called before it is saved: the list may have the new name before the reply. */
  onRename: (name: string) => void;
}

/** The name of a module, which can be changed for all its lessons; one that another module has asks whether to merge them (VIDEOS-2). */
export function ModuleTitle({ name, onRename }: ModuleTitleProps): ReactNode {
  // The name in question while the dialog is open.
  const [other, setOther] = useState<string>();
  const answer = useRef<(isMerge: boolean) => void>(undefined);
  const ask = (wanted: string): Promise<boolean> => {
    setOther(wanted);
    return new Promise((resolve) => (answer.current = resolve));
  };
  const reply = (isMerge: boolean): void => {
    setOther(undefined);
    answer.current?.(isMerge);
  };

  const rename = async (wanted: string): Promise<void> => {
    const params = { module: name };
    onRename(wanted);
    try {
      await api.modules.rename({ params, body: { name: wanted } });
    } catch (thrown) {
      if (productErrorOf(thrown).code !== "module_exists" || !(await ask(wanted))) throw thrown;
      await api.modules.rename({ params, body: { name: wanted, merge: true } });
    }
    await queryClient.invalidateQueries({ queryKey: videosOptions.queryKey });
  };
  return (
    <>
      <InlineText text={name} label={`Name of module ${name}`} schema={moduleName} onSave={rename} />
      <ConfirmDialog
        open={other !== undefined}
        title="Merge two modules"
        confirmLabel="Merge"
        onConfirm={() => reply(true)}
        onCancel={() => reply(false)}
      >
        <p>
          There is a module “{other}” already. The lessons of “{name}” would follow its own, and “{name}” would be gone.
        </p>
      </ConfirmDialog>
    </>
  );
}
