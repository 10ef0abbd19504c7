import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import * as z from "zod/mini";
import { Button, ButtonLink, IconButton, type ButtonVariant, type ButtonSize } from "../../ui/button.tsx";
import { CodeBoxes } from "../../ui/code-boxes.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { BareSelect, Checkbox, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { FilePicker } from "../../ui/file-picker.tsx";
import { InlineText } from "../../ui/inline-text.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Middle } from "../../ui/middle.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ThemeSwitch } from "../../ui/theme-switch.tsx";
import { Part, Row } from "./part.tsx";

const variants: ButtonVariant[] = ["primary", "secondary", "quiet", "link", "danger"];
const sizes: ButtonSize[] = ["large", "regular", "small", "compact"];
const fault = "Please check this field.";
const options = ["unpaid", "starter", "advanced"].map((name) => <option key={name}>{name}</option>);
const menuItems = [
  { name: "Starter", isCurrent: true, onChoose: () => {} },
  { name: "Give Advanced", description: "Unlocks 12 videos", onChoose: () => {} },
  { name: "Take away access", description: "Locks 12 videos", isDangerous: true, onChoose: () => {} },
];

/** Whatever is clicked, typed or chosen. */
export function Controls(): ReactNode {
  const [tab, setTab] = useState("one");
  const [file, setFile] = useState<File | undefined>(() => new File([], "receipt.png"));
  return (
    <>
      <Part name="Button">
        {sizes.map((size) => (
          <Row key={size}>
            {variants.map((variant) => (
              <Button key={variant} variant={variant} size={size}>
                {variant}
              </Button>
            ))}
          </Row>
        ))}
        <Row>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} disabled>
              {variant} off
            </Button>
          ))}
          <Button isBusy>Please wait...</Button>
        </Row>
        <Row>
          <ButtonLink to="/">A link</ButtonLink>
          <IconButton label="Delete">
            <Trash2 aria-hidden className="size-4.5" />
          </IconButton>
          <ThemeSwitch />
          <CopyButton text="0.00552222" what="the amount" />
          <InlineText text="Pips and lots" label="A title" schema={z.string()} onSave={() => Promise.resolve()} />
          <Middle text="bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh" what="the address" />
          <Menu label="Package: Starter" items={menuItems}>
            Starter
          </Menu>
        </Row>
      </Part>
      <Part name="Field">
        <TextField label="Text" aside={<span className="text-small text-muted">Optional</span>} hint="A hint." />
        <TextField label="Filled in" defaultValue="Somchai" />
        <TextField label="With a fault" defaultValue="Somchai" error={fault} hint="The hint stays." />
        <TextField label="Switched off" defaultValue="Somchai" disabled />
        <TextField label="Read only" defaultValue="LUNCH" readOnly className="font-figures" />
        <PasswordField label="Password" defaultValue="a fine long password" />
        <TextArea label="Lines of text" defaultValue="Two lines of it, or more where more must be said." />
        <SelectField label="Choice" error={fault}>
          {options}
        </SelectField>
        <BareSelect label="Choice in a row">{options}</BareSelect>
        <Checkbox label="I have read what there is to read." />
        <Checkbox label="Chosen" defaultChecked />
        <Checkbox label="Not yet" error="Please confirm." />
        <Checkbox label="Switched off" disabled />
      </Part>
      <Part name="CodeBoxes">
        <Codes value="" />
        <Codes value="123" />
        <Codes value="123456" isInvalid />
        <Codes value="123456" isDisabled />
      </Part>
      <Part name="FilePicker">
        <FilePicker label="Choose a file" hint="An image up to 5MB" accept="image/*" file={undefined} onPick={setFile} />
        <FilePicker
          label="Choose a file"
          hint=""
          accept="image/*"
          file={file}
          onPick={setFile}
          onRemove={() => setFile(undefined)}
        />
        <FilePicker label="Choose a file" hint="Any" accept="image/*" file={undefined} error={fault} onPick={setFile} />
        <FilePicker label="Switched off" hint="Any" accept="image/*" file={undefined} disabled onPick={setFile} />
      </Part>
      <Part name="Tabs">
        <Tabs
          label="Example"
          value={tab}
          onChange={setTab}
          items={["one", "two", "three"].map((name) => ({ value: name, label: name, panel: `The panel of ${name}.` }))}
        />
      </Part>
    </>
  );
}

function Codes({ value, isInvalid, isDisabled }: { value: string; isInvalid?: boolean; isDisabled?: boolean }): ReactNode {
  const [code, setCode] = useState(value);
  return (
    <CodeBoxes
      label="Verification code"
      length={6}
      value={code}
      onChange={setCode}
      invalid={isInvalid ?? false}
      disabled={isDisabled ?? false}
    />
  );
}
