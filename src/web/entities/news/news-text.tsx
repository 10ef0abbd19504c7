import type { ReactNode } from "react";
import { linkedPieces, paragraphsOf } from "#domain/texts/linked-text";

interface NewsTextProps {
  text: string;
  /** The first paragraph alone. */
  isShort?: boolean;
}

/** The paragraphs of an announcement, with its https addresses as links (NEWS-5). */
export function NewsText({ text, isShort = false }: NewsTextProps): ReactNode {
  const paragraphs = paragraphsOf(text);
  return (
    <div className="measure grid gap-3 wrap-anywhere whitespace-pre-line">
      {paragraphs.slice(0, isShort ? 1 : undefined).map((paragraph, index) => (
        <p key={index}>
          {linkedPieces(paragraph).map((piece, at) =>
            piece.href === undefined ? (
              <span key={at}>{piece.text}</span>
            ) : (
              <a
                key={at}
                href={piece.href}
                target="_blank"
                rel="noopener noreferrer"
                className="text-action underline underline-offset-4"
              >
                {piece.text}
              </a>
            ),
          )}
        </p>
      ))}
    </div>
  );
}
