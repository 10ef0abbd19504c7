import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";

/** A password with a button that shows and hides it. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, "type" | "end">): ReactNode {
  const [isVisible, setVisible] = useState(false);
  const Icon = isVisible ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={isVisible ? "text" : "password"}
      end={
        <IconButton
          label={isVisible ? "Hide password" : "Show password"}
          aria-pressed={isVisible}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon aria-hidden className="size-4.5" />
        </IconButton>
      }
    />
  );
}
