/** What a form for many channels sends, and how it reads in words. */
import type { ManyChanges } from '../../../api/channels.js'

export interface ManyDraft {
  /** Empty: the list stays. */
  readonly modelsHow: string
  readonly models: readonly string[]
  readonly groupsHow: string
  readonly groups: readonly string[]
  readonly priority: number | null
  readonly weight: number | null
  readonly tagHow: string
  readonly tag: string
  readonly factorHow: string
  readonly factor: string
  /** 0: it stays. */
  readonly status: number
}

export function changesOf(draft: ManyDraft): ManyChanges {
  const { modelsHow, groupsHow, priority, weight, tagHow, tag, factorHow, factor, status } = draft
  const models = listed(draft.models)
  const groups = listed(draft.groups)
  return {
    ...(modelsHow !== '' && models.length > 0 && { models: { [modelsHow]: models } }),
    ...(groupsHow !== '' && groups.length > 0 && { groups: { [groupsHow]: groups } }),
    ...(priority !== null && { priority }),
    ...(weight !== null && { weight }),
    ...(tagHow === 'clear' && { tag: '' }),
    ...(tagHow === 'set' && tag.trim() !== '' && { tag: tag.trim() }),
    ...(factorHow === 'clear' && { cost_factor: '' }),
    ...(factorHow === 'set' && factor.trim() !== '' && { cost_factor: factor.trim() }),
    ...(status !== 0 && { status }),
  }
}

function listed(names: readonly string[]): readonly string[] {
  const trimmed = names.flatMap((name) => name.split(',')).map((name) => name.trim())
  return [...new Set(trimmed.filter((name) => name !== ''))]
}

type Translate = (key: string, named?: Record<string, unknown>) => string

export function wordsOf(changes: ManyChanges, t: Translate): readonly string[] {
  const { models, groups, priority, weight, tag, cost_factor: factor, status } = changes
  const list = (part: 'models' | 'groups', change: ManyChanges['models']) =>
    Object.entries(change ?? {}).map(([how, names]) =>
      t(`channels.many.says.${how}`, { what: t(`channels.many.${part}`), names: names.join(', ') }),
    )
  const is = (what: string, value: unknown) =>
    value === undefined ? [] : [t('channels.many.says.is', { what, value })]
  const tagIs = tag === '' ? [t('channels.many.says.noTag')] : is(t('channels.form.tag'), tag)
  const isFactor = is(t('channels.cost.factor'), factor)
  const factorIs = factor === '' ? [t('channels.many.says.noFactor')] : isFactor
  return [
    ...list('models', models),
    ...list('groups', groups),
    ...is(t('channels.columns.priority'), priority),
    ...is(t('channels.columns.weight'), weight),
    ...tagIs,
    ...factorIs,
    ...(status === undefined ? [] : [t(`channels.bulk.${status === 1 ? 'enable' : 'disable'}`)]),
  ]
}
