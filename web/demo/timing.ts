/** Names of a turn's stages, in the order in which they pass. */
const STAGES: Record<string, string> = {
  heard_ms: "From your last word to Luna's first",
  first_audio_ms: "Of that, all stages of the server",
  endpoint_ms: "Waiting whether you go on",
  stt_ms: "Understanding the words",
  llm_first_token_ms: "First word of the answer",
  llm_first_clause_ms: "First sentence of the answer",
  tts_first_audio_ms: "First sound of the voice",
};

/** Times that hold the stages. */
const TOTALS = ["heard_ms", "first_audio_ms"];
/** Luna reads and answers ahead while she waits; the first sentence holds the first word. */
const OVERLAP = "Stages overlap, so they do not add up: Luna begins to understand and to answer while she still " +
  "waits whether you go on, and the first word is part of the first sentence.";

/** The stages of a turn that are known, with words for them. */
export function stages(
  metrics: Record<string, number>,
): { name: string; milliseconds: number; isTotal: boolean }[] {
  return Object.entries(STAGES)
    .filter(([key]) => Number.isFinite(metrics[key]))
    .map(([key, name]) => ({
      name,
      milliseconds: Math.round(metrics[key] ?? 0),
      isTotal: TOTALS.includes(key),
    }));
}

/** Words on how the stages make up the total, where there are several. */
export function overlapNote(metrics: Record<string, number>): string | undefined {
  return stages(metrics).filter(({ isTotal }) => !isTotal).length > 1 ? OVERLAP : undefined;
}

/** A line that opens to the stages of a turn. */
export function timingDetails(metrics: Record<string, number>): HTMLDetailsElement {
  const details = document.createElement("details");
  details.className = "timing";
  const summary = document.createElement("summary");
  summary.textContent = `Answered in ${((metrics["heard_ms"] ?? 0) / 1000).toFixed(2)} s`;
  const list = document.createElement("dl");
  for (const { name, milliseconds, isTotal } of stages(metrics)) {
    const term = document.createElement("dt");
    term.textContent = name;
    const value = document.createElement("dd");
    if (!isTotal) term.className = value.className = "part";
    value.textContent = `${milliseconds} ms`;
    list.append(term, value);
  }
  details.append(summary, list);
  const overlap = overlapNote(metrics);
  if (overlap !== undefined) {
    const note = document.createElement("p");
    note.textContent = overlap;
    details.append(note);
  }
  return details;
}
