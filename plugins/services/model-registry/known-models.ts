/**
 * The table of known models, `known-models.json`: read when it is first asked for, kept once, as objects. How a name finds
 * its line is stated in README.md beside it.
 */
import { readFileSync } from 'node:fs'
import type {
  Capability,
  Modality,
  ModelAbout,
  ModelKind,
} from '../../../kernel/toolkit/management/index.js'

export interface KnownModel {
  readonly vendor: KnownVendor
  readonly about: ModelAbout
  /** Document of the vendor. */
  readonly source: string
  /** As of when the source is known to say so: YYYY-MM-DD. */
  readonly date: string
}

export interface KnownVendor {
  /** A word that stays, as `openai`. */
  readonly id: string
  readonly name: string
}

/** A line of the file. */
export interface TableLine {
  readonly names: readonly string[]
  readonly vendor: string
  readonly kind: ModelKind
  readonly context?: number
  readonly max_output?: number
  readonly input?: readonly Modality[]
  readonly output?: readonly Modality[]
  readonly can?: readonly Capability[]
  readonly cannot?: readonly Capability[]
  readonly source: string
  readonly date: string
}

export interface Table {
  readonly vendors: Readonly<Record<string, { readonly name: string; readonly url: string }>>
  readonly models: readonly TableLine[]
}

export type FindKnown = (name: string) => KnownModel | undefined

export function readTable(): Table {
  return JSON.parse(readFileSync(new URL('./known-models.json', import.meta.url), 'utf8'))
}

/** Reads the table at the first question. */
export function knownModels(): FindKnown {
  let find: FindKnown | undefined
  return (name) => {
    find ??= finderIn(readTable())
    return find(name)
  }
}

export function finderIn({ vendors, models }: Table): FindKnown {
  const exact = new Map<string, KnownModel>()
  const patterns: {
    readonly pattern: RegExp
    readonly length: number
    readonly known: KnownModel
  }[] = []
  for (const line of models) {
    const known = knownOf(line, vendors[line.vendor]?.name ?? line.vendor)
    for (const name of line.names) {
      if (/[*{]/.test(name)) patterns.push({ pattern: patternOf(name), length: name.length, known })
      else exact.set(name, known)
    }
  }
  patterns.sort((one, other) => other.length - one.length)
  return (name) => {
    for (const form of formsOf(name)) {
      const found = exact.get(form) ?? patterns.find(({ pattern }) => pattern.test(form))?.known
      if (found !== undefined) return found
    }
    return undefined
  }
}

function knownOf(line: TableLine, name: string): KnownModel {
  const { vendor, kind, context, max_output, input, output, source, date } = line
  const about = {
    ...{ kind, context_length: context, max_output },
    ...{ input_modalities: input, output_modalities: output },
    capabilities: {
      ...Object.fromEntries((line.can ?? []).map((word) => [word, true])),
      ...Object.fromEntries((line.cannot ?? []).map((word) => [word, false])),
    },
  }
  const known = Object.entries(about).filter(([, value]) => value !== undefined)
  return { vendor: { id: vendor, name }, about: Object.fromEntries(known), source, date }
}

/** `*` is anything, `{date}` a day or a month as vendors append them. */
function patternOf(name: string): RegExp {
  const escaped = name.replace(/[.+?^$()|[\]\\]/g, '\\$&')
  const date = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4})`
  return new RegExp(`^${escaped.replaceAll('{date}', date).replaceAll('*', '.*')}$`)
}

/** As written, then without what catalogues put around a vendor's name of a model. */
function formsOf(name: string): readonly string[] {
  const whole = name.normalize('NFC').trim().toLowerCase()
  const last = whole.slice(whole.lastIndexOf('/') + 1)
  // Tags of resellers, as `:free`; and Bedrock's region, vendor and version.
  const untagged = last.replace(/:[\w.-]+$/, '').replace(/-v\d+$/, '')
  const plain = untagged.replace(
    /^(?:(?:us|eu|apac|global)\.)?(?:anthropic|meta|mistral|cohere|deepseek|qwen|openai|amazon)\./,
    '',
  )
  return [...new Set([whole, last, last.replace(/^(?:us|eu|apac|global)\./, ''), untagged, plain])]
}
