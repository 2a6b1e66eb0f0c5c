/** Lists people write entry by entry: what an entry consists of. Members no shape names stay as they are. */
import type { Option } from '../../../api/options.js'
import { isObject, parsedJson } from '../../../ui/json-text.js'

export type Row = Readonly<Record<string, unknown>>

export interface RowField {
  readonly name: string
  readonly kind: 'line' | 'long' | 'choice' | 'moment'
  readonly choices?: readonly string[]
}

export interface RowShape {
  readonly fields: readonly RowField[]
  readonly fresh: () => Row
  /** Entries carry a number of their own. */
  readonly numbered?: boolean
  /** Each entry is `{ name: address }`. */
  readonly pairs?: boolean
}

const line = (name: string): RowField => ({ name, kind: 'line' })
const long = (name: string): RowField => ({ name, kind: 'long' })
const kinds = ['default', 'ongoing', 'success', 'warning', 'error']
const colours = ['blue', 'green', 'cyan', 'purple', 'pink', 'red', 'orange', 'amber', 'grey']

const shapes: Readonly<Record<string, RowShape>> = {
  'console_setting.announcements': {
    fields: [
      long('content'),
      { name: 'publishDate', kind: 'moment' },
      { name: 'type', kind: 'choice', choices: kinds },
      line('extra'),
    ],
    fresh: () => ({
      content: '',
      publishDate: new Date().toISOString(),
      type: 'default',
      extra: '',
    }),
    numbered: true,
  },
  'console_setting.faq': {
    fields: [line('question'), long('answer')],
    fresh: () => ({ question: '', answer: '' }),
    numbered: true,
  },
  'console_setting.api_info': {
    fields: [
      line('url'),
      line('route'),
      line('description'),
      { name: 'color', kind: 'choice', choices: colours },
    ],
    fresh: () => ({ url: '', route: '', description: '', color: 'blue' }),
    numbered: true,
  },
  'console_setting.uptime_kuma_groups': {
    fields: [line('categoryName'), line('url'), line('slug'), line('description')],
    fresh: () => ({ categoryName: '', url: '', slug: '', description: '' }),
    numbered: true,
  },
  Chats: { fields: [line('name'), line('url')], fresh: () => ({ name: '', url: '' }), pairs: true },
}

/** Undefined: the option is no such list, or what stands in it now is none. */
export function rowShapeOf({ key }: Option, text: string): RowShape | undefined {
  const shape = shapes[key]
  return shape !== undefined && rowsIn(shape, text) !== undefined ? shape : undefined
}

export function rowsIn({ pairs }: RowShape, text: string): readonly Row[] | undefined {
  const list = parsedJson(text)
  if (!Array.isArray(list) || !list.every(isObject)) return undefined
  if (!pairs) return list
  const entries = list.map((one) => Object.entries(one))
  if (!entries.every((one) => one.length === 1)) return undefined
  return entries.map(([pair]) => ({ name: pair?.[0] ?? '', url: pair?.[1] ?? '' }))
}

export function textOfRows({ pairs }: RowShape, rows: readonly Row[]): string {
  return JSON.stringify(pairs ? rows.map(({ name, url }) => ({ [String(name)]: url })) : rows)
}

export function addedRow({ fresh, numbered }: RowShape, rows: readonly Row[]): readonly Row[] {
  if (!numbered) return [...rows, fresh()]
  const last = Math.max(0, ...rows.map(({ id }) => (typeof id === 'number' ? id : 0)))
  return [...rows, { id: last + 1, ...fresh() }]
}
