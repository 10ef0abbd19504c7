import type { ComponentProps, ReactNode } from "react";
import { videoPackageTypes, type VideoPackageType } from "#domain/video-access";
import { SelectField } from "../../../ui/field.tsx";

/** The packages of a lesson as the admin chooses them (VIDEOS-4). */
const labels: Record<VideoPackageType, string> = {
  both: "Free preview: every verified student",
  starter: "Starter and Advanced",
  advanced: "Advanced only",
};

/** Asks for the package of lessons; until one is chosen its value is empty. */
export function PackageField(props: Omit<ComponentProps<typeof SelectField>, "label" | "children">): ReactNode {
  return (
    <SelectField label="Package" {...props}>
      <option value="" disabled>
        Choose a package
      </option>
      {videoPackageTypes.map((type) => (
        <option key={type} value={type}>
          {labels[type]}
        </option>
      ))}
    </SelectField>
  );
}
