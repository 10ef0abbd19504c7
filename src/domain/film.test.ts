import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { playabilities, playabilityOf, type FilmFacts } from "./film.ts";

const good: FilmFacts = {
  container: "mp4",
  durationSeconds: 60,
  width: 1280,
  height: 720,
  videoCodecs: ["avc1.64001f"],
  audioCodecs: ["mp4a.40"],
  isEncrypted: false,
  isDamaged: false,
  hasLateIndex: false,
};
const verdict = (facts: Partial<FilmFacts>): string => playabilityOf({ ...good, ...facts });

// VIDEO-6
describe("the playability of a film", () => {
  it.each([
    ["H.264 and AAC in an MP4", {}, "plays"],
    ["a silent H.264 film", { audioCodecs: [] }, "plays"],
    ["H.264 of the Baseline profile", { videoCodecs: ["avc1.42e01e"] }, "plays"],
    ["H.264 and AAC that do not say their profiles", { videoCodecs: ["avc1"], audioCodecs: ["mp4a"] }, "plays"],
    ["VP8 in an MP4", { videoCodecs: ["vp08"] }, "plays"],
    ["VP9 in an MP4", { videoCodecs: ["vp09"] }, "plays"],
    ["H.264 with MP3", { audioCodecs: ["mp4a.6b"] }, "plays"],
    ["VP9 and Opus in a WebM", { container: "webm", videoCodecs: ["V_VP9"], audioCodecs: ["A_OPUS"] }, "plays"],
    ["AV1 and Opus in an MP4", { videoCodecs: ["av01"], audioCodecs: ["Opus"] }, "plays"],
    ["HEVC beside H.264", { videoCodecs: ["hvc1", "avc1.64001f"] }, "plays"],
    ["AC-3 beside AAC", { audioCodecs: ["ac-3", "mp4a.40"] }, "plays"],
    ["VP9 by its short name", { videoCodecs: ["vp9"] }, "plays"],
    ["a kind of picture whose name ends as H.264's", { videoCodecs: ["xavc1"] }, "video_codec"],
    ["a kind of sound whose name ends as AAC's", { audioCodecs: ["xmp4a"] }, "audio_codec"],
    ["HEVC alone", { videoCodecs: ["hvc1"] }, "video_codec"],
    ["ProRes", { videoCodecs: ["apch"] }, "video_codec"],
    ["H.264 with 10 bits", { videoCodecs: ["avc1.6e001f"] }, "video_codec"],
    ["DivX", { videoCodecs: ["mp4v"] }, "video_codec"],
    ["AC-3 alone", { audioCodecs: ["ac-3"] }, "audio_codec"],
    ["AC-3 in an entry for AAC", { audioCodecs: ["mp4a.a5"] }, "audio_codec"],
    ["sound without a picture", { videoCodecs: [] }, "no_video"],
    ["H.264 in a QuickTime file", { container: "quicktime" }, "container"],
    ["H.264 in a Matroska file", { container: "matroska", videoCodecs: ["V_MPEG4/ISO/AVC"] }, "container"],
    ["a film of another kind", { container: "other", videoCodecs: [], isDamaged: true }, "container"],
    ["an encrypted film", { isEncrypted: true, videoCodecs: ["encv"] }, "encrypted"],
    ["a film that ends too early", { isDamaged: true }, "damaged"],
    ["an index behind the film", { hasLateIndex: true }, "starts_late"],
    ["HEVC with an index behind the film", { hasLateIndex: true, videoCodecs: ["hev1"] }, "video_codec"],
  ] satisfies [string, Partial<FilmFacts>, string][])("finds the playability of %s", (_film, facts, expected) => {
    expect(verdict(facts)).toBe(expected);
  });

  it("returns a playability for any facts, and never a better one for a damaged film", () => {
    const facts = fc.record({
      container: fc.constantFrom("mp4", "quicktime", "webm", "matroska", "other"),
      videoCodecs: fc.array(fc.string()),
      audioCodecs: fc.array(fc.string()),
      isEncrypted: fc.boolean(),
      isDamaged: fc.boolean(),
      hasLateIndex: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (some) => {
        expect(playabilities).toContain(verdict(some as Partial<FilmFacts>));
        expect(["damaged", "container"]).toContain(verdict({ ...(some as Partial<FilmFacts>), isDamaged: true }));
      }),
    );
  });
});
