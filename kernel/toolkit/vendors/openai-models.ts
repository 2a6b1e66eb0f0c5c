/**
 * What OpenAI's models refuse of the chat and the responses format by what they do: those that do not reason have no dials
 * for it, those that do have no sampling but its default. Here and where else they are served.
 */
import { isObject, type JsonObject } from '../../contract/json.js'
import { type ModelFact, withoutMembers } from './vendor-facts.js'

interface ReasoningFact extends ModelFact {
  readonly models: RegExp
  /** Whether it reasons: never, as the effort says and not without one, unless the effort is `none`, or always. */
  readonly reasons: 'never' | 'if asked' | 'unless none' | 'always'
}

const read = '2026-11-27'
const sampling =
  'platform.openai.com/docs/guides/latest-model (parameter compatibility) as told in github.com/vercel/ai/issues/10932 and github.com/tmc/langchaingo/issues/1497, github.com/chatboxai/chatbox/issues/2627'

/** The first that is about a model counts; others take everything. */
const facts: readonly ReasoningFact[] = [
  {
    models: /(?:^|[/:])(?:gpt-(?:3\.5|4)|chatgpt-4|gpt-5(?:\.\d+)?-chat)/,
    reasons: 'never',
    source:
      "github.com/yaroslavyaroslav/OpenAI-sublime-text/issues/146, github.com/BoundaryML/baml/pull/2708, github.com/google-deepmind/concordia/issues/164 (verbosity only 'medium')",
    read,
  },
  {
    models: /(?:^|[/:])(?:o\d|gpt-5(?:\.\d+)?-(?:pro|codex)|gpt-5(?![.\d]))/,
    reasons: 'always',
    source: sampling,
    read,
  },
  { models: /(?:^|[/:])gpt-5\.[1-4](?!\d)/, reasons: 'if asked', source: sampling, read },
  {
    models: /(?:^|[/:])gpt-(?:5\.|[6-9])/,
    reasons: 'unless none',
    source: 'github.com/itzcrazykns/vane/issues/1173 (5.6)',
    read,
  },
]

/** For `Adapter.refuses`. What is at its default passes. */
export function refusedByOpenAi(wire: JsonObject, model: string): readonly string[] {
  const fact = facts.find(({ models }) => models.test(model))
  if (fact === undefined) return []
  if (fact.reasons === 'never') return dialsOf(wire)
  if (!isReasoning(fact, wire)) return []
  return ['temperature', 'top_p'].filter((name) => {
    return typeof wire[name] === 'number' && wire[name] !== 1
  })
}

function dialsOf({ reasoning_effort: effort, verbosity, reasoning, text }: JsonObject): string[] {
  const words = isObject(text) ? text.verbosity : undefined
  const isSet = (value: unknown) => value !== undefined && value !== null
  return [
    ...(isSet(effort) ? ['reasoning_effort'] : []),
    ...(isSet(reasoning) ? ['reasoning'] : []),
    ...(isSet(verbosity) && verbosity !== 'medium' ? ['verbosity'] : []),
    ...(isSet(words) && words !== 'medium' ? [deepVerbosity] : []),
  ]
}

const deepVerbosity = 'text.verbosity'

function isReasoning({ reasons }: ReasoningFact, wire: JsonObject): boolean {
  const { reasoning_effort, reasoning } = wire
  const effort = reasoning_effort ?? (isObject(reasoning) ? reasoning.effort : undefined)
  if (reasons === 'if asked') return typeof effort === 'string' && effort !== 'none'
  return reasons === 'always' || effort !== 'none'
}

/** For `Adapter.adjust` of the responses format: what lies deeper. The same object where nothing changes. */
export function withoutVerbosity(wire: JsonObject): JsonObject {
  const { model, text } = wire
  if (typeof model !== 'string' || !isObject(text)) return wire
  if (!refusedByOpenAi(wire, model).includes(deepVerbosity)) return wire
  return { ...wire, text: withoutMembers(text, ['verbosity']) }
}
