/** Names of a turn's stages, in the order in which they pass. */
const STAGES: Record<string, string> = {
  heard_ms: "From your last word to Luna's first",
  endpoint_ms: "Waiting whether you go on",
  stt_ms: "Understanding the words",
  llm_first_token_ms: "First word of the answer",
  llm_first_clause_ms: "First sentence of the answer",
  tts_first_audio_ms: "First sound of the voice",
  first_audio_ms: "Server, all stages",
};

/** The stages of a turn that are known, with words for them. */
export function stages(metrics: Record<string, number>): { name: string; milliseconds: number }[] {
  return Object.entries(STAGES)
    .filter(([key]) => Number.isFinite(metrics[key]))
    .map(([key, name]) => ({ name, milliseconds: Math.round(metrics[key] ?? 0) }));
}

/** A line that opens to the stages of a turn. */
export function timingDetails(metrics: Record<string, number>): HTMLDetailsElement {
  const details = document.createElement("details");
  details.className = "timing";
  const summary = document.createElement("summary");
  summary.textContent = `Answered in ${((metrics["heard_ms"] ?? 0) / 1000).toFixed(2)} s`;
  const list = document.createElement("dl");
  for (const { name, milliseconds } of stages(metrics)) {
    const term = document.createElement("dt");
    term.textContent = name;
    const value = document.createElement("dd");
    value.textContent = `${milliseconds} ms`;
    list.append(term, value);
  }
  details.append(summary, list);
  return details;
}
