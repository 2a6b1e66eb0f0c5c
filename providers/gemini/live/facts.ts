/** What models of the Live API take and refuse, by what was written of it; no model's own page lists it in one place. */
import { isAbout, type ModelFact } from '../../../kernel/toolkit/vendors/index.js'

/** Names of models that are reached by the socket. */
const live = /(?:^|-)(?:live|native-audio)(?:-|$)/

export function isLive(model: string): boolean {
  return live.test(model)
}

/** Models that take `clientContent` as history before the first turn alone, and close the socket over any later one. */
const historyOnly: readonly ModelFact[] = [
  {
    models: /^gemini-3\.1-/,
    source: 'github.com/livekit/agents/pull/5251, github.com/google/adk-python/issues/5018',
    read: '2026-11-27',
  },
]

export function takesClientContent(model: string): boolean {
  return !historyOnly.some((fact) => isAbout(fact, model))
}

/** Hertz of the samples that are spoken, whatever the rate of those that are heard (ai.google.dev/gemini-api/docs/live-guide). */
export const spokenRate = 24_000
