import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { ExportName } from "#domain/api/exports";
import { api } from "../../../platform/api.ts";
import { saveFile } from "../../../platform/save-file.ts";
import { Button } from "../../../ui/button.tsx";

interface ExportButtonProps {
  name: ExportName;
  /** What the list is filtered by, as the server takes it; undefined and empty ones are left out. */
  filters?: Record<string, string | undefined>;
  label?: string;
}

/** Saves a table as CSV, with the filters of its list (EXPORT-4). */
export function ExportButton({ name, filters = {}, label = "Export CSV" }: ExportButtonProps): ReactNode {
  const given = Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1])));
  const link = useMutation({
    mutationFn: () => api.exports.link({ params: { name }, body: { filters: given } }),
    onSuccess: ({ url }) => saveFile(url),
    meta: { reportAs: "unexpected" },
  });
  return (
    <Button variant="secondary" disabled={link.isPending} onClick={() => link.mutate()}>
      <Download aria-hidden className="size-4" />
      {label}
    </Button>
  );
}
