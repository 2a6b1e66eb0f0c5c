/** What joi describes of a schema (`schema.describe()`, its public form), as far as the OpenAPI document reads it. */
import type { Schema } from 'joi'
import type { JsonObject } from '../../../../kernel/contract/json.js'

export interface Described {
  readonly type?: string
  readonly flags?: {
    /** Nothing but the values of `allow`. */
    readonly only?: boolean
    readonly presence?: 'optional' | 'required' | 'forbidden'
    readonly result?: 'strip' | 'raw'
    readonly default?: unknown
    readonly description?: string
    /** Name of the schema, as `.id('Vendor')` gives it. */
    readonly id?: string
    /** Values read as if the field were absent. */
    readonly empty?: Described
    /** Arrays: one item may stand without its brackets. */
    readonly single?: boolean
    /** Alternatives: how many must fit. */
    readonly match?: 'any' | 'all' | 'one'
  }
  readonly rules?: readonly DescribedRule[]
  readonly allow?: readonly unknown[]
  readonly invalid?: readonly unknown[]
  readonly keys?: Readonly<Record<string, Described>>
  readonly patterns?: readonly DescribedPattern[]
  readonly renames?: readonly { readonly from: unknown; readonly to: unknown }[]
  readonly dependencies?: readonly DescribedDependency[]
  readonly items?: readonly Described[]
  readonly ordered?: readonly Described[]
  readonly matches?: readonly DescribedMatch[]
  readonly whens?: readonly DescribedCondition[]
  readonly examples?: readonly unknown[]
  readonly metas?: readonly { readonly openapi?: JsonObject }[]
}

export interface DescribedRule {
  readonly name: string
  readonly args?: Readonly<Record<string, unknown>>
}

export interface DescribedPattern {
  /** As `/source/flags`. */
  readonly regex?: string
  readonly schema?: Described
  readonly rule: Described
}

export interface DescribedDependency {
  readonly rel: string
  /** Of `with` and `without`: the field that requires the others. */
  readonly key?: string
  readonly peers: readonly string[]
}

export interface DescribedCondition {
  /** The field looked at. Absent: the value itself. */
  readonly ref?: { readonly path?: readonly string[] }
  readonly is?: Described
  readonly then?: Described
  readonly otherwise?: Described
  readonly switch?: readonly DescribedCondition[]
}

interface DescribedMatch extends DescribedCondition {
  readonly schema?: Described
}

/** Makes JSON Schema of a part; handed on, since parts stand in parts. */
export type Make = (described: Described) => JsonObject

export function described(schema: Schema): Described {
  return schema.describe() as Described
}

/** Values named one by one, without joi's own marks among them. */
export function namedValues(values: readonly unknown[] = []): readonly unknown[] {
  return values.filter((value) => typeof value !== 'object' || value === null)
}
