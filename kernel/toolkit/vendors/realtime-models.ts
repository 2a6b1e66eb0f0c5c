/** Models that are talked to by a socket, by their names; no model list of a vendor states it. */

/** OpenAI's and those named after them; Gemini's Live API (ai.google.dev/gemini-api/docs/live-guide, read 2026-11-27). */
const names = [/realtime/, /^gemini\b.*-(?:live|native-audio)(?:-|$)/] as const

export function isRealtimeModel(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return names.some((pattern) => pattern.test(name))
}
