import { useRef, useState, type ReactNode, type Ref } from "react";
import * as z from "zod/mini";
import type { CryptoType } from "#domain/payment-methods/methods";
import { useMe } from "../../../entities/session/session.tsx";
import { refusal } from "../../../platform/errors.ts";
import { useKeptState } from "../../../platform/kept-state.ts";
import { ReferenceField, referenceProblem } from "./reference-field.tsx";
import { ScreenshotField } from "./screenshot-field.tsx";

interface Proof {
  method: CryptoType | undefined;
  file: File | undefined;
  fileError: string | undefined;
  changeFile: (chosen: File | undefined, problem?: string) => void;
  reference: string;
  referenceError: string | undefined;
  changeReference: (text: string) => void;
  leaveReference: () => void;
  referenceField: Ref<HTMLInputElement>;
  /** Returns whether the reference may be sent; if not, displays why and moves the focus there. */
  checkReference: () => boolean;
}

/** Screenshot and reference of a form, kept under its place; `sentReference` is what was sent before. */
export function useProof(place: string, method: CryptoType | undefined, sentReference = ""): Proof {
  const [file, setFile] = useKeptState<File | undefined>(`${place}: file`, undefined);
  const [fileError, setFileError] = useState<string>();
  const [reference, setReference] = useKeptState(`${place}: reference`, sentReference, z.string());
  // Checked once the student has left the field, not while they type.
  const [isReferenceDone, setReferenceDone] = useState(false);
  const referenceField = useRef<HTMLInputElement>(null);
  const problem = method && referenceProblem(method, reference);
  return {
    method,
    file,
    fileError,
    changeFile: (chosen, refused) => {
      setFile(chosen);
      setFileError(refused);
    },
    reference,
    referenceError: isReferenceDone ? problem : undefined,
    changeReference: (text) => {
      setReference(text);
      setReferenceDone(false);
    },
    leaveReference: () => setReferenceDone(true),
    referenceField,
    checkReference: () => {
      setReferenceDone(true);
      if (problem === undefined) return true;
      refusal("reference_invalid");
      referenceField.current?.focus();
      return false;
    },
  };
}

interface ProofFieldsProps {
  proof: Proof;
  screenshotLabel?: string;
  disabled: boolean;
  onEdit: () => void;
}

export function ProofFields({ proof, screenshotLabel, disabled, onEdit }: ProofFieldsProps): ReactNode {
  const { max_upload_bytes } = useMe();
  const { method, file, fileError, changeFile, reference, referenceError, changeReference, leaveReference, referenceField } =
    proof;
  return (
    <>
      <ScreenshotField
        label={screenshotLabel}
        file={file}
        error={fileError}
        disabled={disabled}
        maxBytes={max_upload_bytes["payment-screenshots"]}
        onChange={(chosen, problem) => {
          onEdit();
          changeFile(chosen, problem);
        }}
      />
      <ReferenceField
        ref={referenceField}
        method={method}
        value={reference}
        error={referenceError}
        disabled={disabled}
        onChange={(text) => {
          onEdit();
          changeReference(text);
        }}
        onLeave={leaveReference}
      />
    </>
  );
}
