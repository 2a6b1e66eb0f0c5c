/**
 * Token counts between this format, where the prompt includes what was cached and what media it held and thoughts stand
 * beside the answer, and the disjoint counts of the gateway.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { shownSum, Total } from '../../../kernel/toolkit/format/index.js'
import { numberOf, objectsOf, present } from './fields.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
type Count = Exclude<keyof Usage, 'serverTools' | 'dimensions' | 'counts'>

/**
 * A search grounded the answer: one use of the tool, however many queries it took. Undefined: the object counts
 * nothing, as those of some services do until the end. Every chunk of a stream brings counts, so no object is copied.
 */
export function readUsage(raw: JsonObject, searched: boolean): Usage | undefined {
  const usage: Writable<Usage> = {}
  readPrompt(raw, usage)
  readAnswer(raw, usage)
  if (Object.keys(usage).length === 0) return undefined
  if (searched) usage.serverTools = { google_search: 1 }
  return usage
}

function readPrompt(raw: JsonObject, usage: Writable<Usage>): void {
  const held = byModality(raw.promptTokensDetails)
  const cached = byModality(raw.cacheTokensDetails)
  const prompt = new Total(countOf(raw.promptTokenCount))
  keep(usage, 'cacheRead', prompt.take(countOf(raw.cachedContentTokenCount)))
  keep(usage, 'inputAudio', prompt.take(beyond(held.AUDIO, cached.AUDIO)))
  keep(usage, 'inputImage', prompt.take(beyond(held.IMAGE, cached.IMAGE)))
  // Results of the service's own tools go back to the model and are no part of the prompt's count.
  keep(usage, 'input', sumOf(prompt.left, countOf(raw.toolUsePromptTokenCount)))
}

function readAnswer(raw: JsonObject, usage: Writable<Usage>): void {
  const made = byModality(raw.candidatesTokensDetails)
  const reasoning = countOf(raw.thoughtsTokenCount)
  const answer = new Total(countOf(raw.candidatesTokenCount))
  keep(usage, 'outputAudio', answer.take(made.AUDIO))
  keep(usage, 'outputImage', answer.take(made.IMAGE))
  keep(usage, 'output', sumOf(answer.left, reasoning))
  keep(usage, 'reasoning', reasoning)
}

function keep(usage: Writable<Usage>, name: Count, count: number | undefined): void {
  if (count !== undefined) usage[name] = count
}

type Modalities = Readonly<Record<string, number | undefined>>

const none: Modalities = {}

function byModality(details: Json | undefined): Modalities {
  if (!Array.isArray(details)) return none
  const counts: Record<string, number | undefined> = {}
  for (const { modality, tokenCount } of objectsOf(details)) {
    if (typeof modality === 'string') counts[modality] = countOf(tokenCount)
  }
  return counts
}

/** What was cached of a modality is counted as cached. */
function beyond(all: number | undefined, cached: number | undefined): number | undefined {
  return all === undefined ? undefined : Math.max(all - (cached ?? 0), 0)
}

/**
 * What is no number is dropped; a negative or absurd one is kept for the kernel to clamp and flag (M21).
 */
function countOf(value: Json | undefined): number | undefined {
  const count = numberOf(value)
  return count !== undefined && Number.isFinite(count) ? count : undefined
}

function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0)
}

export function writeUsage(usage: Usage): JsonObject {
  const { inputAudio, inputImage, outputAudio, outputImage, reasoning, cacheRead } = usage
  const text = shownSum(usage.input, cacheRead, usage.cacheWrite5m, usage.cacheWrite1h)
  const prompt = text + shownSum(inputAudio, inputImage)
  const written = Math.max(shownSum(usage.output) - shownSum(reasoning), 0)
  const answer = written + shownSum(outputAudio, outputImage)
  return present({
    promptTokenCount: prompt,
    candidatesTokenCount: answer,
    totalTokenCount: prompt + answer + shownSum(reasoning),
    cachedContentTokenCount: cacheRead === undefined ? undefined : shownSum(cacheRead),
    thoughtsTokenCount: reasoning === undefined ? undefined : shownSum(reasoning),
    promptTokensDetails: details(text, inputAudio, inputImage),
    candidatesTokensDetails: details(written, outputAudio, outputImage),
  })
}

/** Reported only where it is not all text. */
function details(
  text: number,
  audio: number | undefined,
  image: number | undefined,
): readonly JsonObject[] | undefined {
  if (audio === undefined && image === undefined) return undefined
  const counts = { TEXT: text, AUDIO: audio, IMAGE: image }
  return Object.entries(counts)
    .filter(([, count]) => count !== undefined)
    .map(([modality, count]) => ({ modality, tokenCount: shownSum(count) }))
}
