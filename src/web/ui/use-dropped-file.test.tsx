// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import { useRef, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { show } from "../../../tests/support/render.tsx";
import { useDroppedFile } from "./use-dropped-file.ts";

const onDrop = vi.fn<(file: File) => void>();
const film = new File(["film"], "film.mp4");

interface FieldProps {
  takesAnywhere: boolean;
  isHidden?: boolean;
}

function Field({ takesAnywhere, isHidden = false }: FieldProps): ReactNode {
  const field = useRef<HTMLDivElement>(null);
  useDroppedFile(onDrop, false, field, takesAnywhere);
  return (
    <>
      <div hidden={isHidden}>
        <div ref={field}>
          <p>here</p>
        </div>
      </div>
      <p>elsewhere</p>
    </>
  );
}

test.each([
  ["on the field", "here", { takesAnywhere: false }, true],
  ["beside one of several fields", "elsewhere", { takesAnywhere: false }, false],
  ["anywhere on the page of the only field", "elsewhere", { takesAnywhere: true }, true],
  ["on a page whose field is in a hidden tab", "elsewhere", { takesAnywhere: true, isHidden: true }, false],
])("a file that is dropped %s", (_where, target, props, isTaken) => {
  onDrop.mockReset();
  show(<Field {...props} />);
  // The browser never leaves for it.
  expect(fireEvent.drop(screen.getByText(target), { dataTransfer: { types: ["Files"], files: [film] } })).toBe(false);
  expect(onDrop.mock.calls).toEqual(isTaken ? [[film]] : []);
});
