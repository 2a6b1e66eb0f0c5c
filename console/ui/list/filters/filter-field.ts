/**
 * Filters of a list, described as data: `FilterBar` draws them. Each is named as in the list's filters, and so in the
 * address; empty text, 0 and false filter nothing.
 */
import type { SelectOption } from 'naive-ui'

export type FilterField<Filters extends object> = FieldOf<keyof Filters & string>

export type FieldOf<Name extends string> =
  | TextField<Name>
  | NumberField<Name>
  | SelectField<Name>
  | ChoiceField<Name>
  | PersonField<Name>
  | ChannelField<Name>
  | SpanField<Name>
  | CheckField<Name>

interface Field<Name extends string> {
  readonly name: Name
  /** What is filtered by, to the eye and to screen readers. */
  readonly label: string
  /** Takes the room of two. */
  readonly wide?: boolean
}

/** Searches while it is typed, after a short pause. */
interface TextField<Name extends string> extends Field<Name> {
  readonly kind: 'text'
  /** Names that fit what is typed, the first few. */
  readonly suggest?: (word: string) => Promise<readonly string[]>
}

/** A number counted from 1, as an id. */
interface NumberField<Name extends string> extends Field<Name> {
  readonly kind: 'number'
}

interface SelectField<Name extends string> extends Field<Name> {
  readonly kind: 'select'
  readonly options: readonly SelectOption[]
  /** Stands where nothing is chosen, as `Any state`. */
  readonly any?: string
  readonly filterable?: boolean
  /** The options are those the gateway finds for a word; called with each. */
  readonly search?: (word: string) => void
  /** What the chosen one is called where it is not among the options. */
  readonly called?: string
  readonly loading?: boolean
  /** An order of rows, not a filter: it stays when filters are cleared. */
  readonly stays?: boolean
}

/** Few, side by side. */
interface ChoiceField<Name extends string> extends Field<Name> {
  readonly kind: 'choice'
  readonly options: readonly {
    readonly value: string
    readonly label: string
    readonly count?: number
    readonly warns?: boolean
  }[]
}

/** A user's id, found by a part of the name. */
interface PersonField<Name extends string> extends Field<Name> {
  readonly kind: 'person'
}

/** A channel's id, found by a part of its name. */
interface ChannelField<Name extends string> extends Field<Name> {
  readonly kind: 'channel'
}

/** From when until when, in Unix seconds. */
interface SpanField<Name extends string> extends Field<Name> {
  readonly kind: 'span'
  readonly until: Name
}

/** How rows are shown, not which: it stays when filters are cleared. */
interface CheckField<Name extends string> extends Field<Name> {
  readonly kind: 'check'
}

/** What filters nothing, of the kind of this value. */
export function nothingLike(value: unknown): string | number | boolean {
  if (typeof value === 'number') return 0
  return typeof value === 'boolean' ? false : ''
}

/** Names of the filters a field sets, so that they can be counted and cleared. */
export function namesOf(field: FieldOf<string>): readonly string[] {
  if (field.kind === 'choice' || field.kind === 'check') return []
  if (field.kind === 'select' && field.stays) return []
  return field.kind === 'span' ? [field.name, field.until] : [field.name]
}
