import { describe, expect, it } from "vitest";
import { filmFileOf } from "../../../../tests/support/films/mp4.ts";
import { readWebm } from "./webm.ts";

/** An element of EBML with a size of one byte, or of eight where it is longer. */
const element = (id: string, ...content: Buffer[]): Buffer => {
  const bytes = Buffer.concat(content);
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(BigInt(bytes.length));
  long[0] = 1;
  const size = bytes.length < 0x7f ? Buffer.from([0x80 + bytes.length]) : long;
  return Buffer.concat([Buffer.from(id, "hex"), size, bytes]);
};
const float = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(number);
  return bytes;
};
const double = (number: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(number);
  return bytes;
};
const bytes = (...numbers: number[]): Buffer => Buffer.from(numbers);

const head = element("1a45dfa3", element("4282", Buffer.from("webm")));
const codec = (name: string): Buffer => element("86", Buffer.from(name, "latin1"));
const picture = (width: number, height: number): Buffer =>
  element("e0", element("b0", bytes(width >> 8, width & 0xff)), element("ba", bytes(height)));
const video = element("ae", codec("V_VP9"), picture(640, 90));
const tracks = (...entries: Buffer[]): Buffer => element("1654ae6b", ...entries);
const segment = (...children: Buffer[]): Buffer => Buffer.concat([head, element("18538067", ...children)]);
const info = (...children: Buffer[]): Buffer => element("1549a966", ...children);
const read = (film: Buffer) => readWebm(filmFileOf(film));

// VIDEO-6
describe("the header of a WebM film", () => {
  it("states the codecs and the picture of the first video track", async () => {
    const sound = element("ae", codec("A_OPUS"));
    const other = element("ae", codec("V_VP8"), picture(320, 50));
    expect(await read(segment(tracks(sound, video, other)))).toEqual({
      durationSeconds: null,
      width: 640,
      height: 90,
      videoCodecs: ["V_VP9", "V_VP8"],
      audioCodecs: ["A_OPUS"],
      isEncrypted: false,
      isDamaged: false,
    });
  });

  it.each([
    ["32 bits", [element("4489", float(2500))], 2.5],
    ["64 bits", [element("4489", double(2500))], 2.5],
    ["another number of bits", [element("4489", bytes(9, 9, 9))], null],
    ["units of their own", [element("4489", float(2500)), element("2ad7b1", bytes(0x1e, 0x84, 0x80))], 5],
    ["nothing", [], null],
    ["zero", [element("4489", float(0))], null],
    ["less than zero", [element("4489", float(-1))], null],
    ["infinity", [element("4489", float(Infinity))], null],
  ])("reads a length in %s", async (_what, stated, seconds) => {
    expect((await read(segment(info(...stated), tracks(video))))?.durationSeconds).toBe(seconds);
  });

  it("names no codec that is none of picture or sound, and no unprintable letters", async () => {
    const subtitles = element("ae", codec("S_TEXT/UTF8"), picture(10, 10));
    const nameless = element("ae", picture(10, 10));
    const odd = element("ae", codec("A_\u0000O\u00e9PUS\u007f "));
    const oddPicture = element("ae", codec(`V_\n${"x".repeat(100)}`));
    const header = await read(segment(tracks(subtitles, nameless, odd, oddPicture)));
    expect([header?.videoCodecs, header?.audioCodecs]).toEqual([[`V_${"x".repeat(61)}`], ["A_OPUS "]]);
    expect([header?.width, header?.height]).toEqual([null, null]);
  });

  it("states no size that a picture lacks", async () => {
    const flat = element("ae", codec("V_VP9"), element("e0", element("b0", bytes(64))));
    const header = await read(segment(tracks(flat)));
    expect([header?.width, header?.height]).toEqual([64, null]);
  });

  it("finds a track encrypted by its content encodings alone", async () => {
    const encodings = (inner: string): Buffer => element("6d80", element("6240", element(inner, bytes(1))));
    const track = (inner: string): Buffer => element("ae", codec("V_VP9"), encodings(inner));
    expect((await read(segment(tracks(track("5035")))))?.isEncrypted).toBe(true);
    expect((await read(segment(tracks(track("5034")))))?.isEncrypted).toBe(false);
  });

  it("reads a segment and a size that are not stated, as in a recording", async () => {
    const open = Buffer.concat([head, Buffer.from("1853806701ffffffffffffff", "hex"), tracks(video)]);
    expect(await read(open)).toMatchObject({ isDamaged: false, videoCodecs: ["V_VP9"] });
    const short = Buffer.concat([head, Buffer.from("18538067ff", "hex"), tracks(video)]);
    expect(await read(short)).toMatchObject({ isDamaged: false, videoCodecs: ["V_VP9"] });
  });

  it("finds a film damaged that ends before its segment does", async () => {
    const whole = segment(tracks(video), element("ec", Buffer.alloc(20)));
    expect((await read(whole))?.isDamaged).toBe(false);
    expect((await read(whole.subarray(0, -1)))?.isDamaged).toBe(true);
  });

  it("reads nothing behind the first cluster", async () => {
    expect(await read(segment(element("1f43b675", bytes(0)), tracks(video)))).toBeUndefined();
    expect(await read(segment(tracks(video), element("1f43b675", bytes(0))))).toBeDefined();
  });

  it("looks at a thousand elements of one level", async () => {
    const others = (count: number): Buffer[] => Array.from({ length: count }, () => element("ec"));
    expect(await read(segment(...others(999), tracks(video)))).toBeDefined();
    expect(await read(segment(...others(1000), tracks(video)))).toBeUndefined();
  });

  it.each([
    ["no bytes", Buffer.alloc(0)],
    ["no segment", head],
    ["no tracks", segment(info())],
    ["an id of zero", Buffer.concat([bytes(0), segment(tracks(video))])],
    ["an id of five bytes", Buffer.concat([bytes(8, 0, 0, 0, 0, 0x80), segment(tracks(video))])],
    ["an id that is cut off", bytes(0x18, 0x53, 0x80)],
    ["a size that is cut off", Buffer.from("1853806701ffffff", "hex")],
  ])("has none with %s", async (_what, film) => {
    expect(await read(film)).toBeUndefined();
  });
});
