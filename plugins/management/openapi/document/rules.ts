/**
 * Rules of a single value as JSON Schema. The words for lengths, ranges and formats are joi's own: each value is built
 * anew from its description with the rules that have such words. Patterns are included here, where they can be.
 */
import joi, { type Description } from 'joi'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { type Described, type DescribedRule, namedValues } from './described.js'

export function ruledSchema(part: Described): JsonObject {
  return { ...bounds(part), ...patterns(part.rules ?? []) }
}

/** Everything that is no pattern, and no function of which nothing is known. */
export function bounds({ type = 'any', rules = [], allow }: Described): JsonObject {
  if (!types.has(type)) return {}
  const reported = rules.filter(({ name }) => !undescribed.has(name))
  const blank = type === 'string' && namedValues(allow).includes('')
  const plain = {
    type,
    ...(reported.length > 0 && { rules: reported }),
    ...(blank && { allow: [''] }),
  }
  const key = JSON.stringify(plain)
  const schema = known.get(key) ?? inJoisWords(plain)
  known.set(key, schema)
  return schema
}

/** Hundreds of fields share a few dozen sets of rules, and building a schema anew takes its time. */
const known = new Map<string, JsonObject>()

function inJoisWords(plain: Description): JsonObject {
  const { jsonSchema } = joi.build(plain)['~standard']
  return jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject
}

/** Links and types that a plugin made itself cannot be built anew. */
const types: ReadonlySet<string> = new Set(
  'any string number boolean date binary array object'.split(' '),
)

const undescribed: ReadonlySet<string> = new Set(['pattern', 'custom', 'normalize', 'trim', 'case'])

function patterns(rules: readonly DescribedRule[]): JsonObject {
  const named = rules.filter(({ name }) => name === 'pattern')
  const names = named.flatMap(({ args }) => optionsOf(args).name ?? [])
  const reported = named.flatMap(patternOf)
  return {
    ...(reported.length === 1 ? reported[0] : reported.length > 1 && { allOf: reported }),
    ...(names.length > 0 && { description: sentence(names.join('; ')) }),
  }
}

/** A pattern that reads the same in JSON Schema, where the only flag is `u`. */
function patternOf({ args }: DescribedRule): readonly JsonObject[] {
  const source = plainSource(String(args?.regex))
  if (source === undefined) return []
  return [optionsOf(args).invert === true ? { not: { pattern: source } } : { pattern: source }]
}

/** Of `/source/flags`; undefined: a flag changes what it means. */
export function plainSource(regex: string): string | undefined {
  const end = regex.lastIndexOf('/')
  return /^u?$/.test(regex.slice(end + 1)) ? regex.slice(1, end) : undefined
}

function optionsOf(args: DescribedRule['args']): {
  readonly name?: string
  readonly invert?: boolean
} {
  return args?.options ?? {}
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
