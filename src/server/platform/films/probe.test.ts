// Over 250 lines: the films that writers make, and what can be wrong with each part of one.
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { playabilityOf } from "#domain/film";
import { sniffLength, videoType } from "#domain/files/file-types";
import { filmSample } from "../../../../tests/support/films/samples.ts";
import { box, filmFileOf, ftyp, longBox, moov, openBox, trak, u32, u64 } from "../../../../tests/support/films/mp4.ts";
import type { FilmFile } from "./film-file.ts";
import { probeFilm } from "./probe.ts";

const probe = (bytes: Buffer) => probeFilm(filmFileOf(bytes), videoType(bytes.subarray(0, sniffLength)) ?? "video/mp4");

// VIDEO-6
describe("reading films of different writers", () => {
  it.each([
    ["h264-aac-late.mp4", "starts_late", ["avc1.64000a", "mp4a.40"]],
    ["h264-aac-fast.mp4", "plays", ["avc1.64000a", "mp4a.40"]],
    ["h264-aac-late-mediabunny.mp4", "starts_late", ["avc1.64000a", "mp4a.40"]],
    ["h264-silent-late.mp4", "starts_late", ["avc1.64000a"]],
    ["h264-aac-three-tracks-late.mp4", "starts_late", ["avc1.64000a", "mp4a.40", "mp4a.40"]],
    ["h264-fragmented.mp4", "plays", ["avc1.64000a"]],
    ["h264-aac-fragmented-mediabunny.mp4", "plays", ["avc1.64000a", "mp4a.40"]],
    ["recorded.mp4", "plays", ["vp09"]],
    ["recorded.webm", "plays", ["V_VP8"]],
    ["vp9-opus.webm", "plays", ["V_VP9", "A_OPUS"]],
    ["h264-10-bit-late.mp4", "video_codec", ["avc1.6e000a"]],
    ["hevc-late.mp4", "video_codec", ["hvc1"]],
    ["h264-ac3-late.mp4", "audio_codec", ["avc1.64000a", "ac-3"]],
    ["sound-only.mp4", "no_video", ["mp4a.40"]],
    ["h264-aac-encrypted.mp4", "encrypted", ["encv"]],
    ["prores.mov", "container", ["apco"]],
    ["h264-aac.mov", "container", ["avc1.64000a", "mp4a.40"]],
    ["h264-aac.mkv", "container", ["V_MPEG4/ISO/AVC", "A_AAC"]],
    ["mpeg4.avi", "container", []],
  ])("finds %s to be %s", async (name, playability, codecs) => {
    const { facts } = await probe(await filmSample(name));
    expect(playabilityOf(facts)).toBe(playability);
    expect([...facts.videoCodecs, ...facts.audioCodecs]).toEqual(codecs);
    const hasPicture = facts.videoCodecs.length > 0;
    expect([facts.width, facts.height]).toEqual(hasPicture ? [96, 64] : [null, null]);
    if (name === "mpeg4.avi") expect(facts.durationSeconds).toBeNull();
    else expect(facts.durationSeconds).toBeCloseTo(0.54, 1);
  });

  it("finds 8 seconds of H.264 in every film of the sample course", async () => {
    const folder = resolve(import.meta.dirname, "../../../../samples/videos");
    for (const name of await readdir(folder)) {
      const { facts } = await probe(await readFile(join(folder, name)));
      expect([playabilityOf(facts), facts.durationSeconds, facts.videoCodecs.length]).toEqual(["plays", 8, 1]);
    }
  });
});

const film = box("mdat", Buffer.alloc(40, 7));
const index = moov([trak({ offsets: [ftyp.length + 8], sizes: [40] })]);

describe("reading films that are not as they should be", () => {
  it.each([
    ["no index", [ftyp, film]],
    ["no film", [ftyp, index]],
    ["two indexes", [ftyp, film, index, index]],
    ["an index that is cut off", [ftyp, film, index.subarray(0, index.length - 9)]],
    ["a film that is cut off", [ftyp, index, film.subarray(0, 20)]],
    ["a second part of a film that is cut off", [ftyp, index, film, film.subarray(0, 20)]],
    ["the header of a fragment that is cut off", [ftyp, index, film, box("moof", Buffer.alloc(40)).subarray(0, 20)]],
    [
      "a film without a size, cut off before its last chunk",
      [ftyp, moov([trak({ offsets: [400, 4000], sizes: [40, 40] })]), openBox("mdat", Buffer.alloc(40))],
    ],
    ["a film that says it has 2^53 bytes", [ftyp, index, u32(1), Buffer.from("mdat"), u64(2 ** 53)]],
    ["an index of 2^63 bytes", [ftyp, film, u32(1), Buffer.from("moov"), Buffer.alloc(8, 0x7f)]],
    ["a track that is longer than the index", [ftyp, film, box("moov", Buffer.concat([u32(4000), Buffer.from("trak")]))]],
    ["a table that says it has 2^32 - 1 chunks", [ftyp, film, tampered("stco", 4, 0xffffffff)]],
    ["a table that says it has a chunk more", [ftyp, film, withChunkMore(false)]],
    ["a table of 64 bits that says it has a chunk more", [ftyp, film, withChunkMore(true)]],
    ["a track without a description", [ftyp, film, box("moov", box("trak", box("mdia", box("minf", box("stbl")))))]],
    ["an index inside an index", [ftyp, film, box("moov", box("moov", box("trak")), box("trak"))]],
    ["boxes of 0 to 7 bytes", [ftyp, film, box("moov", u32(7), Buffer.from("trak"))]],
    ["nothing but its type", [ftyp]],
    ["a table without a count", [ftyp, film, moov([trak({ offsets: [], sizes: [], extra: [box("stco", u32(0))] })])]],
  ])("finds %s to be damaged", async (_what, pieces) => {
    const { facts, rewrite } = await probe(Buffer.concat(pieces));
    expect([playabilityOf(facts), rewrite]).toEqual(["damaged", undefined]);
  });

  it("reads a film that runs to the end of the file, and one with a size of 64 bits", async () => {
    for (const last of [openBox("mdat", Buffer.alloc(40)), longBox("mdat", Buffer.alloc(40))]) {
      const { facts } = await probe(Buffer.concat([ftyp, index, last]));
      expect(playabilityOf(facts)).toBe("plays");
    }
  });

  it("reads the length of a fragmented film from the end of its last fragments", async () => {
    const header = box("mvhd", u32(0, 0, 0, 1000, 0), Buffer.alloc(80));
    const others = [box("free", u32(0, 1, 1, 999)), box("trex", u32(0, 1)), box("trex", u32(0, 2, 1, 999, 0, 0))];
    const defaults = box("mvex", ...others, box("trex", u32(0, 1, 1, 400, 0, 0)));
    const fragmented = box("moov", header, trak({ offsets: [], sizes: [] }), defaults);
    const fragment = (...runs: Buffer[]): Buffer =>
      box("moof", box("traf", box("tfhd", u32(0, 1)), box("tfdt", u32(0, 5000)), ...runs));
    const byDefault = box("trun", u32(0, 3));
    const bySample = box("trun", u32(0x100, 2, 100, 200));
    for (const [last, seconds] of [
      [fragment(byDefault), 6.2],
      [fragment(bySample), 5.3],
      [fragment(byDefault, bySample), 6.5],
      [fragment(), 5],
      [fragment(box("trun", u32(0x100, 0xffffffff, 100))), 5.1],
      [box("moof", box("traf", box("tfhd", u32(0, 2)), box("tfdt", u32(0, 5000)))), null],
      [box("moof", box("traf", box("tfhd"), box("tfdt"), box("trun"))), null],
    ] as const) {
      expect((await probe(Buffer.concat([ftyp, fragmented, last, film]))).facts.durationSeconds).toBe(seconds);
    }
  });

  it("reads the whole length of a film whose index states that of its first part", async () => {
    const defaults = box("mvex", box("trex", u32(0, 1, 1, 400, 0, 0)));
    const ofFirstPart = moov([trak({ offsets: [ftyp.length + 8], sizes: [40] })], defaults);
    const last = box("moof", box("traf", box("tfhd", u32(0, 1)), box("tfdt", u32(0, 5000)), box("trun", u32(0, 3))));
    const { facts } = await probe(Buffer.concat([ftyp, film, ofFirstPart, last, film]));
    expect([facts.durationSeconds, facts.hasLateIndex]).toEqual([6.2, false]);
  });

  it("reads the length of its index where its fragments end after more than a week", async () => {
    const defaults = box("mvex", box("trex", u32(0, 1, 1, 400, 0, 0)));
    const fragmented = moov([trak({ offsets: [], sizes: [] })], defaults);
    for (const [end, seconds] of [
      [604_800_000, 604_800],
      [604_800_001, 2],
    ] as const) {
      const last = box("moof", box("traf", box("tfhd", u32(0, 1)), box("tfdt", u32(0, end))));
      expect((await probe(Buffer.concat([ftyp, fragmented, last, film]))).facts.durationSeconds).toBe(seconds);
    }
  });

  it("states no length of a fragmented film with more boxes than are read", async () => {
    const fragment = (time: number): Buffer =>
      box("moof", box("traf", box("tfhd", u32(0, 1)), box("tfdt", u32(0, time)), box("trun", u32(0, 3))));
    const fragmented = moov([trak({ offsets: [], sizes: [] })], box("mvex", box("trex", u32(0, 1, 1, 400, 0, 0))));
    const many = Array.from({ length: 50_000 }, () => box("free"));
    for (const [boxes, seconds] of [
      [many.slice(4), 6.2],
      [many, null],
    ] as const) {
      const bytes = Buffer.concat([ftyp, fragmented, film, ...boxes, fragment(5000)]);
      expect((await probe(bytes)).facts.durationSeconds).toBe(seconds);
    }
  });

  it.each([
    ["32 bits", u32(0, 7000)],
    ["64 bits", Buffer.concat([u32(0x1000000), u64(7000)])],
  ])("reads the length of a fragmented film from its header of fragments, of %s", async (_bits, stated) => {
    const header = (version: number) =>
      version === 0
        ? box("mvhd", u32(0, 0, 0, 1000, 0), Buffer.alloc(80))
        : box("mvhd", u32(0x1000000, 0, 0, 0, 0, 1000, 0, 0), Buffer.alloc(80));
    for (const version of [0, 1]) {
      const fragmented = box("moov", header(version), trak({ offsets: [], sizes: [] }), box("mvex", box("mehd", stated)));
      expect((await probe(Buffer.concat([ftyp, fragmented, film]))).facts.durationSeconds).toBe(7);
    }
  });

  it("reads the length from a header behind the tracks, and one of 64 bits", async () => {
    const track = trak({ offsets: [ftyp.length + 8], sizes: [40] });
    const short = box("mvhd", u32(0, 0, 0, 1000, 2000), Buffer.alloc(80));
    const long = box("mvhd", u32(0x1000000, 0, 0, 0, 0, 1000), u64(2000), Buffer.alloc(80));
    for (const header of [short, long]) {
      expect((await probe(Buffer.concat([ftyp, film, box("moov", track, header)]))).facts.durationSeconds).toBe(2);
    }
  });

  it("reads the length from a header that just has it, and from none that is shorter", async () => {
    const of = (...header: number[]) =>
      probe(Buffer.concat([ftyp, film, box("moov", box("mvhd", u32(...header)), trak({ offsets: [], sizes: [] }))]));
    expect((await of(0, 0, 0, 1000, 2000)).facts.durationSeconds).toBe(2);
    for (const short of [[0, 0, 0, 1000], [0, 0, 0], [0]]) expect((await of(...short)).facts.durationSeconds).toBeNull();
  });

  it("reads 64 tracks, and does not look at others", async () => {
    const track = trak({ offsets: [ftyp.length + 8], sizes: [40] });
    const tracks = (count: number): Buffer[] => Array.from({ length: count }, () => track);
    const of = (...traks: Buffer[]) => probe(Buffer.concat([ftyp, film, moov(traks)]));
    expect(playabilityOf((await of(...tracks(64), box("trak"))).facts)).toBe("starts_late");
    expect(playabilityOf((await of(...tracks(63), box("trak"))).facts)).toBe("damaged");
  });

  it("states no length of a film whose index is cut off", async () => {
    const cut = moov([trak({ offsets: [ftyp.length + 8], sizes: [40] })], box("free")).subarray(0, -8);
    const { facts } = await probe(Buffer.concat([ftyp, film, cut]));
    expect([playabilityOf(facts), facts.durationSeconds]).toEqual(["damaged", null]);
  });

  it("finds a truncated WebM to be damaged, unless it states no length", async () => {
    const cut = (await filmSample("vp9-opus.webm")).subarray(0, -1);
    expect(playabilityOf((await probe(cut)).facts)).toBe("damaged");
    const segmentSize = cut.indexOf("18538067", 0, "hex") + 4;
    cut.fill(0xff, segmentSize + 1, segmentSize + 8);
    expect(playabilityOf((await probe(cut)).facts)).toBe("plays");
  });

  it.each([
    ["the tag of an editor", Buffer.from("TAG and what an editor has appended")],
    ["three bytes", Buffer.alloc(3)],
    ["a box that is cut off and has nothing of the film", Buffer.concat([u32(400), Buffer.from("free")])],
  ])("leaves a film unchanged that plays and ends with %s", async (_what, trailer) => {
    const { facts, rewrite } = await probe(Buffer.concat([ftyp, film, index, trailer]));
    expect([playabilityOf(facts), rewrite]).toEqual(["starts_late", undefined]);
  });

  it("names no codec of a track that is neither picture nor sound", async () => {
    const offsets = { offsets: [ftyp.length + 8], sizes: [40] };
    const subtitles = trak({ ...offsets, handler: "sbtl", entry: box("tx3g", Buffer.alloc(38)) });
    const { facts } = await probe(Buffer.concat([ftyp, film, moov([trak(offsets), subtitles])]));
    expect([facts.videoCodecs.length, facts.audioCodecs]).toEqual([1, []]);
  });

  it("swaps width and height of a rotated film", async () => {
    const turned = Buffer.from(index);
    const matrix = turned.indexOf("tkhd") + 4 + 40;
    u32(0, 0x10000, 0, 0xffff0000, 0, 0).copy(turned, matrix);
    const { facts } = await probe(Buffer.concat([ftyp, turned, film]));
    expect([facts.width, facts.height]).toEqual([64, 96]);
  });

  it("states no duration that is unknown, zero, or longer than a week", async () => {
    for (const [ticks, perSecond] of [
      [0xffffffff, 1000],
      [0, 1000],
      [2000, 0],
      [0xfffffffe, 1],
    ]) {
      const changed = Buffer.from(index);
      u32(perSecond!, ticks!).copy(changed, changed.indexOf("mvhd") + 4 + 12);
      expect((await probe(Buffer.concat([ftyp, changed, film]))).facts.durationSeconds).toBeNull();
    }
  });

  it("reads no index of more than 64 MB, and few bytes of a film of any length", async () => {
    let bytesRead = 0;
    const head = Buffer.concat([ftyp, u32(1), Buffer.from("mdat"), u64(4e9), Buffer.alloc(1)]);
    const tail = Buffer.concat([u32(70e6), Buffer.from("moov"), Buffer.alloc(8)]);
    const tailStart = ftyp.length + 4e9;
    const file: FilmFile = {
      size: tailStart + 70e6,
      read: (position, length) => {
        bytesRead += length;
        const source = position < tailStart ? head.subarray(position) : tail.subarray(position - tailStart);
        return Promise.resolve(source.subarray(0, length));
      },
    };
    const { facts } = await probeFilm(file, "video/mp4");
    expect([playabilityOf(facts), bytesRead < 1000]).toEqual(["damaged", true]);
  });
});

/** The index with a number of a box's content changed. */
function tampered(type: string, at: number, number: number): Buffer {
  const bytes = Buffer.from(index);
  bytes.writeUInt32BE(number, bytes.indexOf(type) + 4 + at);
  return bytes;
}

/** An index whose table of offsets says that it has one more than it has. */
function withChunkMore(isWide: boolean): Buffer {
  const bytes = moov([trak({ offsets: [ftyp.length + 8], sizes: [40], isWide })]);
  bytes.writeUInt32BE(2, bytes.indexOf(isWide ? "co64" : "stco") + 8);
  return bytes;
}
