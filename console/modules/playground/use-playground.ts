/** The conversation and its actions: send, stop, send again, change, delete. */
import { computed, onUnmounted, type Ref, watch } from 'vue'
import { useSession } from '../../shell/session.js'
import type { Picture, Turn } from './conversation.js'
import { objectIn } from './request-body.js'
import type { Settings } from './settings.js'
import { useRuns } from './use-runs.js'
import { handColumn, useSending } from './use-sending.js'
import { useTurns } from './use-turns.js'

export type Playground = ReturnType<typeof usePlayground>

export function usePlayground(settings: Readonly<Ref<Settings>>) {
  const session = useSession()
  const runs = useRuns()
  const { exchanges, answered, busy, stop, stopAll, keepColumns, forget } = runs
  const conversation = useTurns(session.self?.id ?? 0, () => busy.value)
  const { turns, set } = conversation
  const { chosen, sendAfter, ...sending } = useSending({ settings, conversation, runs })

  /** Changes a question and goes on from there; what followed is gone. */
  function edit(turn: Turn, text: string): void {
    const at = turns.value.findIndex(({ id }) => id === turn.id)
    forget(turns.value.slice(at))
    sendAfter(turns.value.slice(0, at), text, turn.pictures)
  }

  function remove(turn: Turn): void {
    forget([turn])
    set(turns.value.filter(({ id }) => id !== turn.id))
  }

  function clear(): void {
    forget(turns.value)
    set([])
    chosen.value = ''
  }

  /** A model taken out of the comparison stops its answers. */
  watch(
    () => settings.value.columns,
    (columns) => keepColumns([handColumn, ...columns.map(({ id }) => id)]),
  )
  onUnmounted(stopAll)

  return {
    ...{ turns, busy, chosen, answered, exchanges, stop, stopAll, edit, remove, clear },
    ...sending,
    exchange: computed(() => exchanges.get(chosen.value)),
    send: (text: string, pictures: readonly Picture[]) => sendAfter(turns.value, text, pictures),
    /** A body by hand can be sent as soon as it is JSON. */
    isBody: (text: string) => objectIn(text) !== undefined,
  }
}
