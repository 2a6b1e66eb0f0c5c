/** The parameters of a request: range and step of each, and what is sent of them (UI-1). */

export interface ParameterRule {
  readonly min: number
  readonly max: number
  /** Steps in one whole: values are kept as this fraction, so that 0.15 is 0.15. */
  readonly perOne: number
  /** Value before anybody chose one; undefined: blank. */
  readonly usual?: number
  /** May stay blank though it is switched on; then it is not sent. */
  readonly optional?: boolean
}

export const parameterRules = {
  temperature: { min: 0, max: 2, perOne: 10, usual: 1 },
  top_p: { min: 0, max: 1, perOne: 20, usual: 1 },
  frequency_penalty: { min: -2, max: 2, perOne: 10, usual: 0 },
  presence_penalty: { min: -2, max: 2, perOne: 10, usual: 0 },
  max_tokens: { min: 1, max: 200_000, perOne: 1, usual: 4_096 },
  seed: { min: 0, max: 2_147_483_647, perOne: 1, optional: true },
} as const satisfies Record<string, ParameterRule>

export type ParameterName = keyof typeof parameterRules

export interface Parameter {
  /** Switched on: it is sent. */
  readonly on: boolean
  /** Undefined: blank. */
  readonly value?: number
}

export type Parameters = Readonly<Record<ParameterName, Parameter>>

export const parameterNames = Object.keys(parameterRules) as readonly ParameterName[]

/** From text or digits; nothing else is a number here. */
const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i

/** Least distance of two values. */
export function stepOf(name: ParameterName): number {
  return 1 / parameterRules[name].perOne
}

/** The nearest value within range and on a step; undefined: it is no number. */
export function normalized(name: ParameterName, value: unknown): number | undefined {
  const number = typeof value === 'string' ? fromText(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  const { min, max, perOne } = parameterRules[name]
  const within = Math.min(max, Math.max(min, number))
  // Twelve digits: 0.575 × 20 is 11.5, and not a hair less. Halves go away from zero on both sides.
  const steps = Math.round(Number((Math.abs(within) * perOne).toPrecision(12)))
  return steps === 0 ? 0 : (Math.sign(within) * steps) / perOne
}

function fromText(text: string): number | undefined {
  const trimmed = text.trim()
  return numeral.test(trimmed) ? Number(trimmed) : undefined
}

/** So many steps further, within the range; blank counts from the least value. */
export function stepped(name: ParameterName, value: number | undefined, steps: number): number {
  const { min, perOne } = parameterRules[name]
  if (value === undefined) return min
  return normalized(name, value + steps / perOne) ?? min
}

export function usualParameters(): Parameters {
  return recordOf((name) => ({ on: false, value: usualOf(name) }))
}

/** What was stored, one by one: whatever is not as it should be is as it was at first. */
export function readParameters(stored: unknown): Parameters {
  const found = isObject(stored) ? stored : {}
  return recordOf((name) => {
    const one = found[name]
    const kept: Readonly<Record<string, unknown>> = isObject(one) ? one : {}
    const number = typeof kept.value === 'number' ? normalized(name, kept.value) : undefined
    return { on: kept.on === true, value: number ?? usualOf(name) }
  })
}

/** Fields of the request body: those switched on, and of these only what is not blank. */
export function sentParameters(parameters: Parameters): Readonly<Record<string, number>> {
  const sent = parameterNames.flatMap((name) => {
    const { on, value } = parameters[name]
    const number = on ? normalized(name, value) : undefined
    return number === undefined ? [] : [[name, number] as const]
  })
  return Object.fromEntries(sent)
}

export function isOptional(name: ParameterName): boolean {
  const rule: ParameterRule = parameterRules[name]
  return rule.optional === true
}

function usualOf(name: ParameterName): number | undefined {
  const rule: ParameterRule = parameterRules[name]
  return rule.usual
}

function recordOf(one: (name: ParameterName) => Parameter): Parameters {
  const entries = parameterNames.map((name) => [name, one(name)] as const)
  return Object.fromEntries(entries) as Record<ParameterName, Parameter>
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
