/** What is set beside the conversation, and how it comes back from where the browser keeps it: field by field. */
import { drawnKey } from '../../api/drawn-key.js'
import { type Parameters, readParameters, usualParameters } from './parameters.js'

/** Models that answer side by side. */
export const columnsMax = 4

export interface Column {
  readonly id: string
  /** Empty: none is chosen yet. */
  readonly model: string
}

export interface Settings {
  /** Empty: the account's own route. */
  readonly group: string
  readonly columns: readonly Column[]
  readonly system: string
  readonly stream: boolean
  readonly parameters: Parameters
  /** The body is written by hand. */
  readonly byHand: boolean
  readonly body: string
}

export function usualSettings(): Settings {
  return {
    group: '',
    columns: [{ id: '1', model: '' }],
    system: '',
    stream: true,
    parameters: usualParameters(),
    byHand: false,
    body: '',
  }
}

export function readSettings(stored: unknown): Settings {
  const usual = usualSettings()
  if (typeof stored !== 'object' || stored === null) return usual
  const found = stored as Readonly<Record<string, unknown>>
  const like = <Name extends keyof Settings>(name: Name): Settings[Name] => {
    const value = found[name]
    return typeof value === typeof usual[name] ? (value as Settings[Name]) : usual[name]
  }
  return {
    group: like('group'),
    columns: readColumns(found.columns) ?? usual.columns,
    system: like('system'),
    stream: like('stream'),
    parameters: readParameters(found.parameters),
    byHand: like('byHand'),
    body: like('body'),
  }
}

/** One more, with a model that does not stand there yet. */
export function withColumn(
  columns: readonly Column[],
  models: readonly string[],
): readonly Column[] {
  const taken = columns.map(({ model }) => model)
  const model = models.find((one) => !taken.includes(one)) ?? models[0] ?? ''
  return [...columns, { id: drawnKey(), model }]
}

/** Each with a model of these: who chooses a group means its models. */
export function withModels(
  columns: readonly Column[],
  models: readonly string[],
): readonly Column[] {
  const [first] = models
  if (first === undefined || columns.every(({ model }) => models.includes(model))) return columns
  return columns.map((one) => (models.includes(one.model) ? one : { ...one, model: first }))
}

function readColumns(stored: unknown): readonly Column[] | undefined {
  if (!Array.isArray(stored)) return undefined
  const columns: Column[] = []
  for (const one of stored as readonly unknown[]) {
    if (typeof one !== 'object' || one === null) continue
    const { id, model } = one as Readonly<Record<string, unknown>>
    if (typeof id !== 'string' || id === '' || typeof model !== 'string') continue
    if (columns.every((column) => column.id !== id)) columns.push({ id, model })
  }
  return columns.length === 0 ? undefined : columns.slice(0, columnsMax)
}
