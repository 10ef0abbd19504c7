import { createContext, use } from "react";
import type { ErrorCode } from "#domain/messages";

export type ReportError = (thrown: unknown, fallback: ErrorCode) => void;

/** Shows an error in the dashboard's banner: the server's words, else those of what was being done. */
export const ErrorReporter = createContext<ReportError>(() => {});

export const useReportError = (): ReportError => use(ErrorReporter);
