import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";

/** A password with a button that shows and hides it. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, "type" | "end">): ReactNode {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={isShown ? "text" : "password"}
      end={
        <IconButton
          label={isShown ? "Hide password" : "Show password"}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon aria-hidden className="size-4.5" />
        </IconButton>
      }
    />
  );
}
