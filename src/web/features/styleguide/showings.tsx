import type { ReactNode } from "react";
import { ProductError } from "#domain/errors/messages";
import { ActionError } from "../../ui/action-error.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Banner, type BannerTone } from "../../ui/banner.tsx";
import { Brand } from "../../ui/brand.tsx";
import { ContactLine } from "../../ui/contact-line.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { OutsideLink } from "../../ui/outside-link.tsx";
import { Empty, Panel, PanelTitle } from "../../ui/panel.tsx";
import { Progress } from "../../ui/progress.tsx";
import { KeyHint } from "../../ui/key-hint.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ZoomablePicture } from "../../ui/zoomable-picture.tsx";
import { UploadProgress } from "../../ui/upload-progress.tsx";
import { Part, Row } from "./part.tsx";

const tones: Tone[] = ["neutral", "gain", "loss", "caution", "accent"];
const bannerTones: BannerTone[] = ["info", "gain", "loss", "caution"];

interface Line {
  name: string;
  tone: Tone;
  amount: string;
}
const lines: Line[] = [
  { name: "Starter", tone: "caution", amount: "$248.5" },
  { name: "Advanced", tone: "gain", amount: "$299.1" },
];
const columns: Column<Line>[] = [
  { name: "Package", isHeader: true, cell: ({ name }) => name },
  { name: "Status", cell: ({ tone }) => <Badge tone={tone}>{tone}</Badge> },
  { name: "Amount", isFigure: true, cell: ({ amount }) => amount },
];

/** Whatever is only looked at. */
export function Showings(): ReactNode {
  return (
    <>
      <Part name="Brand">
        <Row>
          <Brand />
          <Brand isCompact />
        </Row>
      </Part>
      <Part name="Badge">
        <Row>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Row>
      </Part>
      <Part name="Banner">
        {bannerTones.map((tone) => (
          <Banner key={tone} tone={tone} title={`A banner: ${tone}`} onClose={() => {}}>
            What has happened, and what can be done.
          </Banner>
        ))}
        <Banner>One without a title, which stays.</Banner>
      </Part>
      <Part name="ActionError">
        <ActionError error={new ProductError("unavailable")} />
      </Part>
      <Part name="FormError">
        <FormError form={{ error: "What keeps the form from being sent.", offersHelp: true }} />
      </Part>
      <Part name="LoadError">
        <LoadError error={new ProductError("unavailable")} fallback="unavailable" onRetry={() => {}} />
      </Part>
      <Part name="Contact line">
        <ContactLine>Questions? Write to</ContactLine>
      </Part>
      <Part name="OutsideLink">
        <p>
          <OutsideLink href="https://mempool.space" title="f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16">
            f4184fc5…831e9e16
          </OutsideLink>
        </p>
      </Part>
      <Part name="Panel">
        <Panel aria-label="Example">
          <PanelTitle aside={<Badge>Aside</Badge>}>A panel</PanelTitle>
          <Facts>
            <Fact name="Package">Starter</Fact>
            <Fact name="Amount in BTC" strong>
              0.00552222 BTC
            </Fact>
          </Facts>
        </Panel>
        <Empty title="Nothing here yet">What will be here, and how it comes.</Empty>
      </Part>
      <Part name="DataTable">
        <DataTable caption="Example" columns={columns} rows={lines} keyOf={({ name }) => name} />
      </Part>
      <Part name="Waiting">
        <Row>
          <Spinner /> <span>Checking...</span>
        </Row>
        <Progress label="Uploading" value={0.42} />
        <Skeleton className="h-16" />
      </Part>
      <Part name="UploadProgress">
        <UploadProgress label="Uploading" value={0.42} onTryNow={undefined} onCancel={() => {}} />
        <UploadProgress label="Uploading" value={0.42} onTryNow={() => {}} onCancel={() => {}} />
      </Part>
      <Part name="KeyHint">
        <p>
          Approve <KeyHint>a</KeyHint>
        </p>
      </Part>
      <Part name="ZoomablePicture">
        <ZoomablePicture src="/favicon.svg" alt="The brand's mark" />
      </Part>
      <Part name="QrCode">
        <QrCode text="bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" label="A QR code" className="w-40" />
      </Part>
    </>
  );
}
