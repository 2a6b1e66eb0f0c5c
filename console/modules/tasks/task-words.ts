/** What stands in a task, in a few words: its state, what was requested, what it cost. */
import { useI18n } from 'vue-i18n'
import type { Task, TaskResult, TaskState } from '../../api/tasks.js'
import { useMoney } from '../../ui/money.js'
import { momentText } from '../../ui/time.js'

export const tones = {
  submitting: 'quiet',
  queued: 'info',
  running: 'info',
  unknown: 'warn',
  succeeded: 'good',
  failed: 'bad',
} as const satisfies Record<TaskState, string>

export const states = Object.keys(tones) as readonly TaskState[]

export function isUnderWay({ state }: Pick<Task, 'state'>): boolean {
  return state === 'submitting' || state === 'queued' || state === 'running'
}

/** The prompt, or the model where there is none. */
export function titleOf({ request, model }: Pick<Task, 'request' | 'model'>): string {
  const { prompt, gpt_description_prompt: described, title } = request
  const text = [prompt, described, title].find((one) => typeof one === 'string' && one !== '')
  return String(text ?? model)
}

export function useTaskWords() {
  const { t, te } = useI18n()
  /** Of what plugins from outside name, the name. */
  const known = (key: string, name: string) => (te(`${key}.${name}`) ? t(`${key}.${name}`) : name)
  const { money } = useMoney()
  return {
    state: ({ state }: Pick<Task, 'state'>) => t(`tasks.states.${state}`),
    /** Undefined: it says nothing the gateway's own word does not. */
    word({ word, state }: Pick<Task, 'word' | 'state'>): string | undefined {
      const isSame = word.toLowerCase() === state || word === ''
      return isSame ? undefined : t('tasks.word', { word })
    },
    /** `Clips · Remix`: what was requested of the upstream. */
    kind: ({ operation, action }: Pick<Task, 'operation' | 'action'>) =>
      [known('tasks.operations', operation), known('tasks.actions', action)]
        .filter(Boolean)
        .join(' · '),
    /** `Clip 1`. */
    result: ({ type, index }: Pick<TaskResult, 'type' | 'index'>) =>
      `${t(`tasks.types.${type}`)} ${index + 1}`,
    /** Until when the gateway has a result it stored. */
    kept: (until: number) =>
      until === 0 ? t('tasks.keptOpen') : t('tasks.keptUntil', { at: momentText(until) }),
    cost: ({ quota }: Pick<Task, 'quota'>) => money(quota),
    /** What became of the charge. Undefined: it stands. */
    change({ charged, cost }: Pick<Task, 'charged' | 'cost'>): string | undefined {
      if (cost === null || cost === charged) return undefined
      if (cost === 0) return t('tasks.refundedWhole', { amount: money(charged) })
      return cost < charged
        ? t('tasks.refunded', { amount: money(charged - cost) })
        : t('tasks.chargedMore', { amount: money(cost - charged) })
    },
  }
}
